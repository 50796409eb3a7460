// @vitest-environment node

import { beforeAll, describe, expect, it } from 'vitest';
import { helpList } from '@/content/article-lists';
import { helpTopics } from '@/content/help-topics';
import { loadEntries, search, type Entry } from './search';

let entries: Entry[];

beforeAll(async () => {
  entries = await loadEntries();
});

const found = (query: string) => search(entries, query).map(({ meta }) => meta.slug);

describe('the search over the help articles', () => {
  it('puts an article whose title has the word first', () => {
    expect(found('invoices')[0]).toBe('invoices-and-gst');
    expect(found('domain').slice(0, 2).sort()).toEqual(['domain-not-working', 'link-your-domain']);
  });

  it('wants every word, in any case and order', () => {
    expect(found('ARRIVE 59 code')).toEqual(['the-code-does-not-arrive']);
    expect(found('domain zebra')).toEqual([]);
    expect(found('  ')).toEqual([]);
  });

  it('knows what people call it otherwise', () => {
    expect(found('otp')).toContain('the-code-does-not-arrive');
    expect(found('upgrade')[0]).toBe('change-plan');
  });

  it('shows the words around the place', () => {
    const [hit] = search(entries, 'credit note');
    expect(hit?.excerpt).toContain('credit note');
  });
});

it('every article belongs to a topic, and every topic has articles', () => {
  const topics = helpTopics.map(({ id }) => id);
  for (const { slug, topic } of helpList) expect(topics, slug).toContain(topic);
  for (const id of topics)
    expect(
      helpList.some(({ topic }) => topic === id),
      id,
    ).toBe(true);
});
