/** The head of a text in src/content: what is written between its first two lines of dashes. */
export interface ArticleMeta {
  /** The file's name without its ending; the last part of the address. */
  slug: string;
  title: string;
  /** One or two sentences, for lists, search engines and previews. */
  summary: string;
  /** The day of publication, "2026-11-21". */
  date: string;
  /** The day of the last change of substance, where there was one. */
  updated?: string;
  /** Minutes it takes to read. */
  minutes: number;
  /** The help topic or blog subject that it belongs to. */
  topic: string;
  author?: string;
}

/** A text with its markup. */
export interface Article {
  meta: ArticleMeta;
  headings: { id: string; text: string }[];
  html: string;
}

/** The blog's texts by file; each is loaded when it is opened. */
export const blogArticles = import.meta.glob<Article>('/src/content/blog/*.md');

/** The help centre's texts by file. */
export const helpArticles = import.meta.glob<Article>('/src/content/help/*.md');
