import { ArticleView } from '@/ui/site/article-view';
import type { Article } from '@/content/articles';

/** A legal text of the site. */
export function LegalPage({ article }: { article: Article }) {
  return <ArticleView article={article} trail={[{ label: 'Home', to: '/' }]} />;
}
