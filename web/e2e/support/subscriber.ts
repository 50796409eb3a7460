import type { Page } from 'playwright-core';
import { languages, type LanguageCode } from '../../src/lib/languages';
import { widths } from './browser';
import { addStore, buyPlan, customerOf, newCustomer, saveAddress, type Customer, type PlanWish } from './customer';
import { advanceClock, clockNow, newPerson, type Person } from './people';
import { checkScreen, endPayment, heading, signIn } from './shop';

/** In milliseconds: a day, the time from midnight to ten o'clock, and the offset of Indian time. */
const DAY = 86_400_000;
const TEN = 36_000_000;
const IST = 19_800_000;

/** A unique store name. */
export const storeOf = (person: Person) => `Store ${person.mobile}`;

/** A user with an address, a plan or the free trial, and a store; `also` makes further calls. */
export async function newSubscriber(
  wish: PlanWish | 'trial',
  also?: (customer: Customer, person: Person) => Promise<void>,
): Promise<Person> {
  const person = newPerson();
  const [customer, context] = await newCustomer(person, wish === 'trial');
  await saveAddress(customer);
  if (wish !== 'trial') await buyPlan(customer, wish);
  await addStore(customer, person, storeOf(person));
  await also?.(customer, person);
  await context.dispose();
  return person;
}

/** Signs a subscriber in and opens the dashboard. */
export async function openDashboard(page: Page, person: Person): Promise<void> {
  await signIn(page, person);
  await page.goto('/dashboard');
  await heading(page, storeOf(person));
}

/** Advances the clock while no page is open, and signs the subscriber in again, because sessions expire. */
export async function timePasses(page: Page, person: Person, seconds: number): Promise<void> {
  await page.goto('about:blank');
  await advanceClock(seconds);
  await customerOf(page.request).call('POST', '/login', { username: person.mobile, password: person.password });
}

/** Advances the clock by days, to ten in the morning in India, because reminders are sent only by day. */
export async function daysPass(page: Page, person: Person, days: number): Promise<void> {
  const now = (await clockNow()).getTime() + IST;
  await timePasses(page, person, Math.round((Math.floor(now / DAY) * DAY + days * DAY + TEN - now) / 1000));
}

/**
 * Opens a page in a language, as if the user had chosen it. The choice is stored from an image URL, because the site's scripts would
 * redirect to the account's language.
 */
export async function openIn(page: Page, language: LanguageCode, path: string): Promise<void> {
  await page.goto('/favicon.svg');
  await page.evaluate((code) => localStorage.setItem('language', code), language);
  await page.goto(languages[language].base + path);
}

/** A card of the dashboard. */
export const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** The value next to a label of the plan's card, such as "Renews on". */
export async function planFact(page: Page, label: string): Promise<string> {
  const term = card(page, 'Your plan')
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) });
  return (await term.locator('xpath=following-sibling::dd').innerText()).trim();
}

/** What a screen must satisfy on a phone and on a desktop. */
export async function checkBothWidths(page: Page): Promise<void> {
  for (const width of [widths.phone, widths.desktop]) {
    await page.setViewportSize({ width, height: 900 });
    await checkFromTop(page);
  }
}

/** Checks the screen from its top: wherever a flow has scrolled to, the header may lie over half a button. */
export async function checkFromTop(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await checkScreen(page);
}

export const paymentDetails = (page: Page) => page.getByRole('dialog', { name: 'Payment Details' });

/** Pays the amount in the payment details, up to the receipt page. */
export async function payDetails(page: Page): Promise<void> {
  await paymentDetails(page)
    .getByRole('button', { name: /^(Pay ₹|Make Payment · )/ })
    .click();
  await endPayment(page, 'Pay');
  await heading(page, 'Congratulations!');
}

/** The same date `years` later, both formatted for display: "22 Nov 2026" and "22 Nov 2027". */
export function yearsAfter(day: string, years: number): string {
  return day.replace(/\d{4}$/, (year) => String(Number(year) + years));
}
