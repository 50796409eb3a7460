import { helpList, helpTexts } from '@/content/article-lists';
import type { ArticleMeta } from '@/content/articles';
import { meaningsOf, telling } from './romanised';

/** A help article with its text, ready to be searched. */
export interface Entry {
  meta: ArticleMeta;
  title: string;
  words: string;
  text: string;
}

export interface Hit {
  meta: ArticleMeta;
  /** The text around the first match. */
  excerpt: string;
}

const EXCERPT = 140;

/** Loads the text of all articles; called on the first search. */
export async function loadEntries(): Promise<Entry[]> {
  return Promise.all(
    helpList.map(async (meta) => {
      const text = (await helpTexts[`/src/content/help/${meta.slug}.md`]?.()) ?? '';
      return {
        meta,
        text,
        title: meta.title.toLowerCase(),
        words: `${meta.title} ${meta.summary} ${text}`.toLowerCase(),
      };
    }),
  );
}

/** Maps words people type to the words the articles use. */
const synonyms: Record<string, string> = {
  otp: 'code',
  bill: 'invoice',
  receipt: 'invoice',
  tax: 'gst',
  website: 'domain',
  url: 'domain',
  pin: 'pincode',
  phone: 'mobile',
  upgrade: 'move',
  downgrade: 'move',
  unsubscribe: 'cancel',
  delete: 'erase',
  login: 'log in',
  signup: 'sign up',
};

function termsOf(query: string): string[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
  return telling(words);
}

function score(entry: Entry, term: string): number {
  const other = synonyms[term];
  const words = [term, ...(other ? [other] : []), ...meaningsOf(term)];
  const inTitle = words.some((word) => entry.title.includes(word));
  const inText = words.some((word) => entry.words.includes(word));
  return (inTitle ? 5 : 0) + (inText ? 1 : 0);
}

function excerptOf(entry: Entry, terms: string[]): string {
  const text = entry.text.toLowerCase();
  const places = terms.map((term) => text.indexOf(term)).filter((place) => place >= 0);
  if (places.length === 0) return entry.meta.summary;
  const from = Math.max(0, entry.text.lastIndexOf(' ', Math.max(0, Math.min(...places) - 40)));
  return `${from > 0 ? '…' : ''}${entry.text.slice(from, from + EXCERPT).trim()}…`;
}

/** Returns the articles that contain every word of the query, best first; a word in the title counts most. */
export function search(entries: readonly Entry[], query: string): Hit[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  return entries
    .map((entry) => ({ entry, scores: terms.map((term) => score(entry, term)) }))
    .filter(({ scores }) => scores.every((value) => value > 0))
    .map(({ entry, scores }) => ({ entry, total: scores.reduce((sum, value) => sum + value, 0) }))
    .sort((a, b) => b.total - a.total || a.entry.title.localeCompare(b.entry.title))
    .map(({ entry }) => ({ meta: entry.meta, excerpt: excerptOf(entry, terms) }));
}
