import type { ArticleMeta } from './articles';

function sorted(heads: Record<string, ArticleMeta>): ArticleMeta[] {
  return Object.values(heads).sort((a, b) => b.date.localeCompare(a.date) || a.title.localeCompare(b.title));
}

/** The blog's articles, newest first. */
export const blogList = sorted(
  import.meta.glob<ArticleMeta>('/src/content/blog/*.md', { eager: true, query: '?meta', import: 'meta' }),
);

/** The help articles. */
export const helpList = sorted(
  import.meta.glob<ArticleMeta>('/src/content/help/*.md', { eager: true, query: '?meta', import: 'meta' }),
);

/** The words of the help articles by file, for the search; loaded with the first search. */
export const helpTexts = import.meta.glob<string>('/src/content/help/*.md', { query: '?text', import: 'text' });
