import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { blogArticles, helpArticles, type Article } from '@/content/articles';
import { page } from './page';

type ArticlePage = ComponentType<{ article: Article }>;

/** A route for each text in a folder, so that an address without a text is not found. */
function articles(
  base: string,
  texts: Record<string, () => Promise<Article>>,
  source: string,
  load: () => Promise<ArticlePage>,
  translated: boolean,
): RouteObject[] {
  return Object.entries(texts).map(([file, read]) => ({
    path: `${base}/${file.slice(file.lastIndexOf('/') + 1, -'.md'.length)}`,
    handle: { sources: [`src/features/${source}.tsx`, file.slice(1)], translated },
    lazy: async () => {
      const [Page, article] = await Promise.all([load(), read()]);
      return { Component: () => <Page article={article} /> };
    },
  }));
}

/**
 * The public site. These routes are prerendered and must not import account code. Parts that call the server, such as the prices, are
 * loaded late and bring their own `WithData`.
 */
export const publicRoutes: RouteObject[] = [
  page('', 'home/components/home-page', async () => (await import('@/features/home/components/home-page')).HomePage, [
    'home/components/home-rest',
  ]),
  page(
    'all-features',
    'all-features/components/all-features-page',
    async () => (await import('@/features/all-features/components/all-features-page')).AllFeaturesPage,
  ),
  page(
    'why-franchise360',
    'why/components/why-page',
    async () => (await import('@/features/why/components/why-page')).WhyPage,
  ),
  page(
    'overview',
    'overview/components/overview-page',
    async () => (await import('@/features/overview/components/overview-page')).OverviewPage,
  ),
  page(
    'product-tour',
    'product-tour/components/product-tour-page',
    async () => (await import('@/features/product-tour/components/product-tour-page')).ProductTourPage,
  ),
  page(
    'working',
    'working/components/working-page',
    async () => (await import('@/features/working/components/working-page')).WorkingPage,
  ),
  page(
    'whatisFranchise',
    'what-is-franchise/components/what-is-franchise-page',
    async () => (await import('@/features/what-is-franchise/components/what-is-franchise-page')).WhatIsFranchisePage,
  ),
  page(
    'blog',
    'blog/components/blog-page',
    async () => (await import('@/features/blog/components/blog-page')).BlogPage,
    ['blog/components/newsletter-form'],
    false,
  ),
  ...articles(
    'blog',
    blogArticles,
    'blog/components/blog-article-page',
    async () => (await import('@/features/blog/components/blog-article-page')).BlogArticlePage,
    false,
  ),
  page(
    'unsubscribe',
    'blog/components/unsubscribe-page',
    async () => (await import('@/features/blog/components/unsubscribe-page')).UnsubscribePage,
    ['blog/components/unsubscribe-form'],
    false,
  ),
  page(
    'newsletter/confirm',
    'blog/components/confirm-newsletter-page',
    async () => (await import('@/features/blog/components/confirm-newsletter-page')).ConfirmNewsletterPage,
    ['blog/components/confirm-newsletter-form'],
    false,
  ),
  page(
    'whats-new',
    'whats-new/components/whats-new-page',
    async () => (await import('@/features/whats-new/components/whats-new-page')).WhatsNewPage,
  ),
  page('faq', 'faq/components/faq-page', async () => (await import('@/features/faq/components/faq-page')).FaqPage),
  page(
    'tutorial',
    'tutorial/components/tutorial-page',
    async () => (await import('@/features/tutorial/components/tutorial-page')).TutorialPage,
  ),
  page(
    'customerStories',
    'stories/components/stories-page',
    async () => (await import('@/features/stories/components/stories-page')).StoriesPage,
  ),
  page(
    'helpcenter',
    'help-centre/components/help-centre-page',
    async () => (await import('@/features/help-centre/components/help-centre-page')).HelpCentrePage,
  ),
  ...articles(
    'helpcenter',
    helpArticles,
    'help-centre/components/help-article-page',
    async () => (await import('@/features/help-centre/components/help-article-page')).HelpArticlePage,
    true,
  ),
  page(
    'contact',
    'contact/components/contact-page',
    async () => (await import('@/features/contact/components/contact-page')).ContactPage,
    ['contact/components/contact-form'],
  ),
  page(
    'developers',
    'developers/components/developers-page',
    async () => (await import('@/features/developers/components/developers-page')).DevelopersPage,
    [],
    false,
  ),
  page(
    'privacy',
    'legal/components/privacy-page',
    async () => (await import('@/features/legal/components/privacy-page')).PrivacyPage,
    [],
    false,
  ),
  page(
    'refunds',
    'legal/components/refunds-page',
    async () => (await import('@/features/legal/components/refunds-page')).RefundsPage,
    [],
    false,
  ),
  page(
    'terms',
    'legal/components/terms-page',
    async () => (await import('@/features/legal/components/terms-page')).TermsPage,
    [],
    false,
  ),
  page(
    'pricing',
    'pricing/components/pricing-page',
    async () => (await import('@/features/pricing/components/pricing-page')).PricingPage,
    ['pricing/components/live-plans', 'pricing/components/more-about-plans'],
  ),
];
