import { describe, expect, it } from 'vitest';
import { plans, rupees } from '@/content/catalogue';
import { releases, releasesByYear } from '@/content/whats-new';
import { lastChanged, structuredData } from './structured-data';

const typesOf = (path: string) =>
  structuredData(path, 'Title', 'Words').map((document) => (document as Record<string, unknown>)['@type']);

describe('what search engines are told', () => {
  it('names the questions, the articles and the prices', () => {
    expect(typesOf('/faq')).toEqual(['BreadcrumbList', 'FAQPage']);
    expect(typesOf('/blog/what-a-franchise-costs')).toEqual(['BreadcrumbList', 'BlogPosting']);
    expect(typesOf('/helpcenter/add-ons')).toEqual(['BreadcrumbList', 'TechArticle']);
    const product = structuredData('/pricing', 'Pricing', '')[1] as { offers: Record<string, unknown> };
    expect(product.offers).toMatchObject({
      lowPrice: 135000,
      highPrice: 1007769.6,
      offerCount: 12,
      priceCurrency: 'INR',
    });
  });

  it('dates what says when it was changed', () => {
    expect(lastChanged('/blog/what-a-franchise-costs')).toBe('2026-11-09');
    expect(lastChanged('/whats-new')).toBe(releases[0]?.date);
    expect(lastChanged('/faq')).toBe('');
  });
});

it('shows rupees in Indian grouping', () => {
  expect([0, 100_00, 1000_00, 12_500_00, 1_50_000_00, 1_62_87_840_00].map(rupees)).toEqual([
    '₹0',
    '₹100',
    '₹1,000',
    '₹12,500',
    '₹1,50,000',
    '₹1,62,87,840',
  ]);
});

it('has the plans of the price book, three tiers each', () => {
  expect(plans.map(({ name }) => name)).toEqual(['Start up', 'Growth', 'Pinnacle', 'Elite']);
  for (const { services } of plans) expect(services.map(({ franchises }) => franchises)).toEqual([18, 36, 108]);
});

it('groups the releases by year, newest first, back to 2022', () => {
  expect(releasesByYear().map(({ year }) => year)).toEqual(['2026', '2025', '2024', '2023', '2022']);
});
