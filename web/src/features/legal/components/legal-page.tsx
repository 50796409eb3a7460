import { Notice } from '@/components/notice';
import { ArticleView } from '@/components/site/article-view';
import type { Article } from '@/content/articles';

/** A legal text, with the note that the site's owner has it looked through before relying on it. */
export function LegalPage({ article }: { article: Article }) {
  return (
    <>
      <div className="container pt-4">
        <Notice>This text is a draft for the owner of the site to review with counsel before launch.</Notice>
      </div>
      <ArticleView article={article} trail={[{ label: 'Home', to: '/' }]} />
    </>
  );
}
