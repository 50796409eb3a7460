import { Link } from 'react-router';
import { ArticleView } from '@/ui/site/article-view';
import { CallToAction } from '@/ui/site/call-to-action';
import { blogList } from '@/content/article-lists';
import type { Article } from '@/content/articles';

/** A blog article, with suggestions for what to read next. */
export function BlogArticlePage({ article }: { article: Article }) {
  const others = blogList.filter(({ slug }) => slug !== article.meta.slug).slice(0, 3);
  return (
    <>
      <ArticleView article={article} trail={[{ label: 'Blog', to: '/blog' }]}>
        <section className="read-next" aria-labelledby="read-next">
          <h2 id="read-next">Read next</h2>
          <ul>
            {others.map(({ slug, title }) => (
              <li key={slug}>
                <Link to={`/blog/${slug}`}>{title}</Link>
              </li>
            ))}
          </ul>
        </section>
      </ArticleView>
      <CallToAction />
    </>
  );
}
