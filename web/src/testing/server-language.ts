import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonBodyType } from 'msw';
import PO from 'pofile';

const language = import.meta.env.LANGUAGE;
const catalogue = join(import.meta.dirname, `../../../pkg/platform/i18n/locales/${language}.po`);

/** Codes such as "monthly", which the server sends in no language. */
const CODE = /^[a-z_]+$/;

const words = new Map<string, string>(
  language === 'en'
    ? []
    : PO.parse(readFileSync(catalogue, 'utf8')).items.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? msgid]),
);

/** The answer with the server's translations of its texts, as the server words it for a page in this language. */
export function inServersWords<T extends JsonBodyType>(body: T): T {
  if (words.size === 0) return body;
  return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    typeof value === 'string' && !CODE.test(value) && !name.endsWith('_value') ? (words.get(value) ?? value) : value,
  ) as T;
}
