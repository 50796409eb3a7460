import { ArticleView } from '@/ui/site/article-view';
import { Prose } from '@/ui/site/prose';
import type { Article } from '@/content/articles';
import * as text from '@/content/developers.md';
import * as events from '../../../../../pkg/webhook/EVENTS.md';
import { eventsHtml } from '../events';

/** What the developer of a connected system reads. The events are those of the product's own list. */
export function DevelopersPage() {
  return (
    <ArticleView article={text as unknown as Article} trail={[{ label: 'Home', to: '/' }]}>
      <Prose html={eventsHtml((events as unknown as Article).html)} />
    </ArticleView>
  );
}
