import { DEFAULT_LANGUAGE, isLanguage, languages, type LanguageCode } from './languages';

/**
 * The language of this document. Each language is a build of its own, so it never changes while a document lives:
 * who reads another one opens another address.
 */
export const language: LanguageCode = isLanguage(import.meta.env.LANGUAGE)
  ? import.meta.env.LANGUAGE
  : DEFAULT_LANGUAGE;

/** What the addresses of this document begin with; the router puts it before every path. */
export const { tag: languageTag, base: languageBase } = languages[language];

/** Key of the local storage entry with the language that somebody chose in this browser. */
export const LANGUAGE_KEY = 'language';

/** The language chosen in this browser; null where nobody chose, or where storage is blocked. */
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

/** The address of a path of this site in a language, to be opened by a document of its own: "/hi/pricing". */
export function pathIn(code: LanguageCode, path: string): string {
  const { base } = languages[code];
  return base + (base && path === '/' ? '' : path);
}
