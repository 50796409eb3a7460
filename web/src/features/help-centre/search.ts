import { helpList, helpTexts } from '@/content/article-lists';
import type { ArticleMeta } from '@/content/articles';
import { normal, termsOf } from './query-words';

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
        title: normal(meta.title),
        words: normal(`${meta.title} ${meta.summary} ${text}`),
      };
    }),
  );
}

function score(entry: Entry, term: readonly string[]): number {
  const among = (text: string) => term.some((word) => ` ${text}`.includes(` ${word}`));
  return (among(entry.title) ? 5 : 0) + (among(entry.words) ? 1 : 0);
}

function excerptOf(entry: Entry, terms: string[][]): string {
  const text = entry.text.toLowerCase();
  const places = terms
    .flat()
    .map((word) => text.indexOf(word))
    .filter((place) => place >= 0);
  if (places.length === 0) return entry.meta.summary;
  const from = Math.max(0, entry.text.lastIndexOf(' ', Math.max(0, Math.min(...places) - 40)));
  return `${from > 0 ? '…' : ''}${entry.text.slice(from, from + EXCERPT).trim()}…`;
}

/**
 * Returns the articles that contain every term of the query or a synonym, in any order, best first; a term in the title counts most.
 */
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
