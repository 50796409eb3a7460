import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { DEFAULT_LANGUAGE, type LanguageCode } from '../../src/lib/languages';

/** The folders of the catalogues of the server and of the site. */
const folders = ['../../../pkg/platform/i18n/locales', '../../src/locales'];

/** The translation of each English text that needs no context, as the catalogues have it. */
function translations(language: LanguageCode): Map<string, string> {
  const texts = folders.flatMap((folder) => [
    ...readFileSync(new URL(`${folder}/${language}.po`, import.meta.url), 'utf8').matchAll(
      /^msgid "(.+)"\nmsgstr "(.+)"$/gm,
    ),
  ]);
  return new Map(texts.map(([, english = '', translated = '']) => [english, translated]));
}

export type Words = (english: string, ...values: string[]) => string;

/** Says a text of the site in a language. The values take the places of its variables, in their order in English. */
export function wordsIn(language: LanguageCode): Words {
  const texts = language === DEFAULT_LANGUAGE ? undefined : translations(language);
  return (english, ...values) => {
    const names = [...english.matchAll(/\{\w+\}/g)].map(([name]) => name);
    const text = texts ? texts.get(english) : english;
    if (text === undefined) return expect.fail(`no translation of "${english}" in ${language}`);
    return names.reduce((said, name, at) => said.replace(name, values[at] ?? ''), text);
  };
}
