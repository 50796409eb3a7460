import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { LanguageCode } from '../../src/lib/languages';

/** The catalogues of the server and of the site. */
const catalogues = ['../../../pkg/platform/i18n/locales/hi.po', '../../src/locales/hi.po'];

/** The Hindi of each English text that needs no context, as the catalogues have it. */
function hindi(): Map<string, string> {
  const texts = catalogues.flatMap((file) => [
    ...readFileSync(new URL(file, import.meta.url), 'utf8').matchAll(/^msgid "(.+)"\nmsgstr "(.+)"$/gm),
  ]);
  return new Map(texts.map(([, english = '', translated = '']) => [english, translated]));
}

export type Words = (english: string, ...values: string[]) => string;

/** Says a text of the site in a language. The values take the places of its variables, in their order in English. */
export function wordsIn(language: LanguageCode): Words {
  const texts = language === 'hi' ? hindi() : undefined;
  return (english, ...values) => {
    const names = [...english.matchAll(/\{\w+\}/g)].map(([name]) => name);
    const text = texts ? texts.get(english) : english;
    if (text === undefined) return expect.fail(`no Hindi for "${english}"`);
    return names.reduce((said, name, at) => said.replace(name, values[at] ?? ''), text);
  };
}
