// @vitest-environment node

import { expect, it } from 'vitest';
import { loadEntries, search } from './search';

it.each([
  ['मोबाइल खो गया', 'lost-mobile-number'],
  ['सिम खो गई', 'lost-mobile-number'],
  ['sim lost', 'lost-mobile-number'],
  ['प्लान रद्द', 'refunds'],
  ['cancel my plan', 'refunds'],
  ['ओटीपी नहीं आया', 'the-code-does-not-arrive'],
  ['मेरा बिल कहां है', 'invoices-and-gst'],
])('finds by “%s” the Hindi article %s among the first three', async (query, slug) => {
  const found = search(await loadEntries(), query).map(({ meta }) => meta.slug);
  expect(found.slice(0, 3)).toContain(slug);
});
