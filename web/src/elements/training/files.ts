/** Saving the step on show as a file, and going on from a file. */

import { html, type TemplateResult } from "lit";
import type { App } from "../../core/app";
import { type FileError, readCheckpoint, writeCheckpoint } from "../../core/checkpoint";
import { t } from "../../i18n";

export function files(app: App, error: string, onError: (text: string) => void): TemplateResult {
  return html`<div class="files">
    <button type="button" data-action="save" @click=${() => save(app)}>${t("files.save")}</button>
    <label class="load">${t("files.load")}
      <input type="file" name="checkpoint" accept=".safetensors" aria-describedby="abh-file-error"
        @change=${(event: Event) => load(app, event.target as HTMLInputElement, onError)}>
    </label>
    <p class="error" id="abh-file-error" role="alert">${error}</p>
  </div>`;
}

function save(app: App): void {
  const address = URL.createObjectURL(new Blob([writeCheckpoint(app)], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `attention-by-hand-seed${app.session.seed.value}-step${app.step.value}.safetensors`;
  link.click();
  URL.revokeObjectURL(address);
}

async function load(app: App, field: HTMLInputElement, onError: (text: string) => void): Promise<void> {
  const file = field.files?.[0];
  if (file === undefined) return;
  const found = readCheckpoint(app, await file.arrayBuffer());
  // So that the same file can be chosen again.
  field.value = "";
  if ("error" in found) {
    onError(errorText(file.name, found.error));
    return;
  }
  onError("");
  app.goOnFrom(found.seed, found.saved, file.name);
}

function errorText(file: string, error: FileError): string {
  const values = { name: "", found: "", wanted: "", ...error, file };
  return t(`files.error.${error.kind}`, values);
}
