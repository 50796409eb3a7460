import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { previews } from '@/content/home';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { HomePage } from './home-page';

/** Words that a visitor reads without moving the carousel. */
const MOST_WORDS = 700;

async function setup() {
  const rendered = renderRoutes([{ path: '', element: <HomePage /> }], { at: '/' });
  await screen.findByRole('heading', { level: 2, name: 'Look around before you sign up' });
  return rendered;
}

test('the page has at most 700 words, and no accessibility fault', async () => {
  const { container } = await setup();
  const shown = container.cloneNode(true) as HTMLElement;
  for (const hidden of shown.querySelectorAll('[inert], svg')) hidden.remove();
  const blocks = [...shown.querySelectorAll('h1, h2, h3, p, dt, dd, li > span, a, button')];
  const leaves = blocks.filter((block) => !block.querySelector('h1, h2, h3, p, a'));
  const words = leaves.flatMap((block) => block.textContent.match(/[\p{L}\p{N}][^\s]*/gu) ?? []);
  expect(words.length).toBeGreaterThan(400);
  expect(words.length).toBeLessThanOrEqual(MOST_WORDS);
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('every claimed figure shows its condition', async () => {
  await setup();
  for (const [label, condition] of [
    ['less working capital', /up to/],
    ['products and services for reward points', /depending on plan/],
    ['business collaborations', /by our own count/],
  ] as const) {
    const term = screen.getByText(label).closest('div');
    expect(within(term!).getByText(condition)).toBeVisible();
  }
});

test('the preview shows a picture of the product, or says that a connected system does the work', async () => {
  await setup();
  const carousel = screen.getByRole('region', { name: 'Dashboard preview' });
  const slides = [...carousel.querySelectorAll('[aria-roledescription=slide]')];
  expect(slides.map((slide) => slide.querySelector('h3')?.textContent)).toEqual([
    'Dashboard',
    'Products',
    'Conversation',
    'Analytics',
    'Campaigns',
    'Audience',
    'Statistics',
    'Help Center',
  ]);
  for (const [index, slide] of slides.entries()) {
    const pictured = slide.querySelector('img') !== null;
    expect(pictured).toBe(previews[index]?.shot !== undefined);
    expect(slide.textContent.includes('Runs in a connected system')).toBe(!pictured);
  }
});

test('what businesses do is told in our own words, not in invented quotes', async () => {
  const { container } = await setup();
  const stories = screen.getByRole('region', { name: 'What businesses do with it' });
  expect(within(stories).getByText('Mumbai')).toBeVisible();
  expect(within(stories).getByText('Delhi')).toBeVisible();
  expect(container.querySelector('blockquote, q')).toBeNull();
  expect(stories.textContent).not.toMatch(/[“”"]|\b(I|we|our) (?!sample)/i);
});
