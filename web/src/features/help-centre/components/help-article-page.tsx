import { t } from '@lingui/core/macro';
import { Link } from 'react-router';
import { ArticleView } from '@/ui/site/article-view';
import { helpList } from '@/content/article-lists';
import type { Article } from '@/content/articles';
import { helpTopics } from '@/content/help-topics';

/** A help article, with links to the others of its topic. */
export function HelpArticlePage({ article }: { article: Article }) {
  const topic = helpTopics.find(({ id }) => id === article.meta.topic);
  const others = helpList.filter(({ slug, topic: of }) => of === article.meta.topic && slug !== article.meta.slug);
  return (
    <ArticleView article={article} trail={[{ label: t`Help centre`, to: '/helpcenter' }]}>
      <section className="read-next" aria-labelledby="more-help">
        <h2 id="more-help">{t`More on ${topic?.title ?? 'this'}`}</h2>
        <ul>
          {others.map(({ slug, title }) => (
            <li key={slug}>
              <Link to={`/helpcenter/${slug}`}>{title}</Link>
            </li>
          ))}
          <li>
            <Link to="/contact?topic=support">{t`Contact us`}</Link>
          </li>
        </ul>
      </section>
    </ArticleView>
  );
}
