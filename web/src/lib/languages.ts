/** A language of the site. */
export interface Language {
  /** As `lang` and Intl want it. */
  tag: string;
  /** What people call it who read it. */
  name: string;
  /** What addresses begin with: "" or "/hi". */
  base: string;
  /** As Open Graph wants it. */
  locale: string;
}

/** English is in the source; the catalogues of the other languages are in src/locales. */
export const DEFAULT_LANGUAGE: LanguageCode = 'en';

export const languages = {
  en: { tag: 'en-IN', name: 'English', base: '', locale: 'en_IN' },
  hi: { tag: 'hi', name: 'हिन्दी', base: '/hi', locale: 'hi_IN' },
} satisfies Record<string, Language>;

export type LanguageCode = keyof typeof languages;

export const isLanguage = (code: unknown): code is LanguageCode =>
  typeof code === 'string' && Object.hasOwn(languages, code);
