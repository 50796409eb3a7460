import { expect, test } from 'vitest';
import type { Article } from '@/content/articles';
import * as events from '../../../../pkg/webhook/EVENTS.md';
import { eventsHtml } from './events';

test('the page has every event of the product’s list, one level below its own headings', () => {
  const { html } = events as unknown as Article;
  const shown = eventsHtml(html);
  expect(shown).toContain('<h2 id="every-event">Every event</h2>');
  expect(shown).not.toContain('<h1');
  expect(shown).toContain('<h3 id="outlets">Outlets</h3>');
  expect(shown.match(/&quot;type&quot;|"type"/g)?.length).toBeGreaterThanOrEqual(16);
});
