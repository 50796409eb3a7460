import { DEFAULT_LANGUAGE, isLanguage, languages, type LanguageCode } from './languages';

/**
 * The language of this document. Each language is a separate build, so it never changes within a document: switching languages loads
 * another URL.
 */
export const language: LanguageCode = isLanguage(import.meta.env.LANGUAGE)
  ? import.meta.env.LANGUAGE
  : DEFAULT_LANGUAGE;

/** What the addresses of this document begin with; the router puts it before every path. */
export const { tag: languageTag, base: languageBase } = languages[language];

/** Key of the local storage entry with the language that the user chose in this browser. */
export const LANGUAGE_KEY = 'language';

/** The language chosen in this browser; null without a choice, or if storage is blocked. */
export function chosenLanguage(): LanguageCode | null {
  try {
    const stored = localStorage.getItem(LANGUAGE_KEY);
    return isLanguage(stored) ? stored : null;
  } catch {
    return null;
  }
}

/** Remembers the choice in this browser. */
export function chooseLanguage(code: LanguageCode): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, code);
  } catch {
    // The address alone keeps the language then.
  }
}

/** The URL of a path in a language, which requires a full page load: "/hi/pricing". */
export function pathIn(code: LanguageCode, path: string): string {
  const { base } = languages[code];
  return base + (base && path === '/' ? '' : path);
}
