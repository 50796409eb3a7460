import { readFile } from 'node:fs/promises';
import PO from 'pofile';
import type { Plugin } from 'vite';

/** Files of the price book; the server sends the same names and texts. */
const BOOK = /\/pkg\/plan\/(catalogue|delivery)\.json$/;

/** Codes and names of fields, which are the same in every language. */
const CODE = /^[a-z_]+$/;

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

function inWords(value: Json, words: ReadonlyMap<string, string>): Json {
  const say = (text: string) => (CODE.test(text) ? text : (words.get(text) ?? text));
  if (typeof value === 'string') return say(value);
  if (Array.isArray(value)) return value.map((part) => inWords(part, words));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [say(name), inWords(part, words)]));
}

/** Loads the price book with the translations of the server's catalogue, so that pages and server say the same. */
export function priceBook(catalogue: (() => Promise<string>) | null): Plugin {
  return {
    name: 'price-book',
    enforce: 'pre',
    async load(id) {
      if (!catalogue || !BOOK.test(id)) return null;
      const words = new Map(PO.parse(await catalogue()).items.map(({ msgid, msgstr }) => [msgid, msgstr[0] ?? msgid]));
      const book = JSON.parse(await readFile(id, 'utf8')) as Json;
      return JSON.stringify(inWords(book, words));
    },
  };
}
