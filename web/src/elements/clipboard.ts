/** Putting text on the clipboard. */

/** Copies a text; says whether that worked. */
export async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Missing on pages served over plain http from another machine: there, selecting and copying still works.
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "visually-hidden";
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return done;
  }
}
