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

describe('the questions of customers', () => {
  const questions: [query: string, slug: string][] = [
    ['lost mobile', 'lost-mobile-number'],
    ['sim lost', 'lost-mobile-number'],
    ['I lost my SIM card', 'lost-mobile-number'],
    ['my phone was stolen', 'lost-mobile-number'],
    ['mobile number changed', 'lost-mobile-number'],
    ['मोबाइल खो गया', 'lost-mobile-number'],
    ['सिम खो गई', 'lost-mobile-number'],
    ['cancel my plan', 'refunds'],
    ['cancel plan', 'refunds'],
    ['plan cancel', 'refunds'],
    ['how to end the subscription', 'refunds'],
    ['stop my plan', 'refunds'],
    ['प्लान रद्द', 'refunds'],
    ['plan radd karna hai', 'refunds'],
    ['I paid twice', 'refunds'],
    ['where is my bill', 'invoices-and-gst'],
    ['download invoices', 'invoices-and-gst'],
    ['how do I pay', 'pay-for-a-plan'],
    ['OTP not received', 'the-code-does-not-arrive'],
    ['can’t sign in', 'reset-your-password'],
    ['lost password', 'reset-your-password'],
    ['stop automatic renewals', 'automatic-renewal'],
  ];
  it.each(questions)('finds by “%s” the article %s among the first three', (query, slug) => {
    expect(found(query).slice(0, 3)).toContain(slug);
  });

  it('compares whole beginnings of words, not letters inside a word', () => {
    expect(found('invo')).not.toEqual([]);
    expect(found('nvoice')).toEqual([]);
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

describe('Hindi in Latin letters', () => {
  const queries: [query: string, slug: string][] = [
    ['paisa wapas', 'payment-failed'],
    ['paise kat gaye', 'payment-failed'],
    ['payment fail ho gaya', 'payment-failed'],
    ['bill kaise', 'invoices-and-gst'],
    ['mera bill kahan hai', 'invoices-and-gst'],
    ['gst rasid', 'invoices-and-gst'],
    ['plan badalna', 'change-plan'],
    ['plan kaise badle', 'change-plan'],
    ['chota plan', 'change-plan'],
    ['plan kaise chune', 'choose-a-plan'],
    ['otp nahi aaya', 'the-code-does-not-arrive'],
    ['code nahi mila', 'the-code-does-not-arrive'],
    ['password bhul gaya', 'reset-your-password'],
    ['domain kaise jode', 'link-your-domain'],
    ['website kaam nahi kar rahi', 'domain-not-working'],
    ['free trial khatam', 'free-trial'],
    ['kitni franchise', 'franchise-limit'],
    ['khata kaise banaye', 'sign-up'],
    ['dukan kaise banaye', 'set-up-your-store'],
    ['plan khatam ho gaya', 'renewal'],
    ['data mitana', 'your-data'],
    ['gstin pata', 'business-address-and-gstin'],
  ];
  it.each(queries)('finds by “%s” the article %s among the first three', async (query, slug) => {
    const entries = await loadEntries();
    const found = search(entries, query).map(({ meta }) => meta.slug);
    expect(found.slice(0, 3)).toContain(slug);
  });

  it('finds nothing by words that stand for nothing here', async () => {
    expect(search(await loadEntries(), 'hathi ghoda')).toEqual([]);
  });
});
