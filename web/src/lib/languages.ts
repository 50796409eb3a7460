import type { components } from './api/schema.gen';

/** A language of the site, as the API names it. */
export type LanguageCode = components['schemas']['SiteLanguage'];

export interface Language {
  /** As `lang` and Intl want it. */
  tag: string;
  /** What people call it who read it. */
  name: string;
  /** What addresses begin with: "" or "/hi". */
  base: string;
  /** As Open Graph wants it. */
  locale: string;
  /** Shown on an English page to a reader of this language, who may not understand the page. */
  offer?: { text: string; accept: string; decline: string };
  /** How screen readers call a table of an article. */
  table: string;
}

/** English is in the source; the catalogues of the other languages are in src/locales. */
export const DEFAULT_LANGUAGE: LanguageCode = 'en';

/** The one list of the client: routes, builds, pages, the switch and the sitemap follow from it. */
export const languages: Record<LanguageCode, Language> = {
  en: { tag: 'en-IN', name: 'English', base: '', locale: 'en_IN', table: 'Table' },
  hi: {
    tag: 'hi',
    name: 'हिन्दी',
    base: '/hi',
    locale: 'hi_IN',
    offer: { text: 'यह साइट हिन्दी में भी है।', accept: 'हिन्दी में पढ़ें', decline: 'अंग्रेज़ी में रहें' },
    table: 'तालिका',
  },
};

export const languageCodes = Object.keys(languages) as LanguageCode[];

/** The text in a language, in English if it has none. */
export const textIn = (texts: components['schemas']['LanguageTexts'], code: LanguageCode): string =>
  texts[code] ?? texts.en;

export const isLanguage = (code: unknown): code is LanguageCode =>
  typeof code === 'string' && Object.hasOwn(languages, code);
