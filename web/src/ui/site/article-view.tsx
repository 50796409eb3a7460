import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Breadcrumb, type Crumb } from '@/ui/breadcrumb';
import type { Article } from '@/content/articles';
import { formatDate } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { Prose } from './prose';

export interface ArticleViewProps {
  article: Article;
  /** The path to the article, without the article itself. */
  trail: Crumb[];
  /** Shown after the text. */
  children?: ReactNode;
}

/** An article with its title, date and table of contents. */
export function ArticleView({ article: { meta, headings, html }, trail, children }: ArticleViewProps) {
  usePageMeta({ title: meta.title, description: meta.summary });
  const changed = meta.updated ?? meta.date;
  return (
    <div className="container article">
      <article>
        <Breadcrumb items={[...trail, { label: meta.title }]} />
        <h1 tabIndex={-1}>{meta.title}</h1>
        <p className="text-muted text-sm">
          {meta.updated ? t`Updated` : ''} <time dateTime={changed}>{formatDate(changed)}</time>
          {t` · ${meta.minutes} min read`}
        </p>
        <p className="lead">{meta.summary}</p>
        <Prose html={html} />
        {children}
      </article>
      {headings.length > 2 && (
        <nav className="article-contents" aria-label={t`On this page`}>
          <h2>{t`On this page`}</h2>
          <ul>
            {headings.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
