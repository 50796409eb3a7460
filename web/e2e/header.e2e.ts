import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { languageCodes, type LanguageCode } from '../src/lib/languages';
import { inBrowser, takenOver } from './support/browser';
import { newCustomer } from './support/customer';
import { newPerson } from './support/people';
import { signIn } from './support/shop';
import { openIn } from './support/subscriber';

let page: Page;

inBrowser({ width: 1920 }, (session) => (page = session.page));

type Name = [first: string, last: string];

/** The longest names that the profile takes, in Latin letters and in the scripts of some languages. */
const latin: Name = ['Priyanka Venkatanarasimha', 'Ranganathan-Subramanian'];
const names: Partial<Record<LanguageCode, Name>> = { hi: ['प्रियंका वेंकटनरसिंहन', 'रंगनाथन सुब्रमण्यम'] };
const nameIn = (language: LanguageCode): Name => names[language] ?? latin;

/** Signs in a new person of that name, without a plan. */
async function signInAs(language: LanguageCode): Promise<void> {
  const person = newPerson();
  const [customer, context] = await newCustomer(person);
  const [first_name, last_name] = nameIn(language);
  await customer.call('POST', '/profile/update/profile', { first_name, last_name });
  await context.dispose();
  await signIn(page, person);
}

/** What is wrong with the header at this width: it scrolls sideways, or reaches beyond the page's grid. */
function faultsOfHeader(): string[] {
  const root = document.documentElement;
  const faults = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : [];
  const bar = document.querySelector('.site-header-bar');
  if (!bar) return ['there is no header'];
  const box = bar.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(bar);
  const left = box.left + Number.parseFloat(paddingLeft) - 0.5;
  const right = box.right - Number.parseFloat(paddingRight) + 0.5;
  for (const part of bar.querySelectorAll<HTMLElement>('a, button')) {
    const { left: from, right: to, width } = part.getBoundingClientRect();
    if (part.closest('[hidden]') || width === 0) continue;
    if (from < left || to > right) faults.push(`${part.textContent || part.ariaLabel} reaches from ${from} to ${to}`);
  }
  return faults;
}

/** The faults of the header from 320 px to `to`. */
async function walkWidths(step: number, to = 1920): Promise<string[]> {
  const faults: string[] = [];
  for (let width = 320; width <= to; width += step) {
    await page.setViewportSize({ width, height: 600 });
    const found = await page.evaluate(faultsOfHeader);
    if (found.length > 0) faults.push(`${width} px: ${found.join(', ')}`);
  }
  return faults;
}

describe.each(languageCodes)('the header in %s', (language) => {
  it.each([true, false])('stays inside the grid at every width (signed in: %s)', async (signedIn) => {
    if (signedIn) await signInAs(language);
    await openIn(page, language, '/faq');
    if (signedIn) await page.getByRole('button', { name: nameIn(language).join(' ') }).waitFor();
    else await takenOver(page);
    expect(await walkWidths(signedIn && language === 'en' ? 1 : 4)).toEqual([]);
    // 200 % text size, as WCAG 1.4.4 requires.
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    expect(await walkWidths(10)).toEqual([]);
  });

  it('stays inside the grid of a phone in a wider font where the site’s own came too late', async () => {
    await page.route('**/figtree-*.woff2', (route) => route.abort());
    await openIn(page, language, '/faq');
    await takenOver(page);
    expect(await walkWidths(4, 760)).toEqual([]);
  });
});
