/** The words of the page's controls, in the language of the page. */

import type { TokenError } from "../core/tokens";
import en from "./en.json";
import zh from "./zh.json";

export type Key = keyof typeof en;
export type Language = "en" | "zh";

const catalogues: Record<Language, Record<Key, string>> = { en, zh };

export const language: Language = document.documentElement.lang.startsWith("zh") ? "zh" : "en";

/** The text of a key, with `{name}` replaced by values. */
export function t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  return catalogues[language][key].replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(values[name] ?? whole),
  );
}

/** What is wrong with a typed prompt, in one line. */
export function tokenErrorText(error: TokenError, most: number): string {
  if (error.kind === "empty") return t("prompt.error.empty", { most });
  if (error.kind === "long") return t("prompt.error.long", { count: error.count, most });
  return t("prompt.error.character", { character: error.character, position: error.position });
}
