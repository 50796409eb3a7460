import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { inBrowser } from './support/browser';
import { logIn } from './support/keyboard';
import { newPerson, register, type Person } from './support/people';
import { at } from './support/shop';

/** More wrong attempts than unknown browsers get for an account without waiting. */
const WRONG = 20;

let page: Page;
let person: Person;

beforeAll(async () => {
  person = newPerson();
  await register(person);
});

inBrowser({ width: 390 }, (session) => (page = session.page));

it('a new phone signs in after wrong passwords from elsewhere, and shows that the browser is being checked', async () => {
  const statuses: number[] = [];
  await page.goto('/login');
  const origin = new URL(page.url()).origin;
  for (let n = 0; n < WRONG; n += 1) {
    const answer = await fetch(`${origin}/api/franchise/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: person.mobile, password: 'Wrong#2026' }),
    });
    statuses.push(answer.status);
  }
  expect(statuses).toContain(429);

  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() =>
      document.querySelectorAll('[role="status"]').forEach((one) => said.push(one.textContent)),
    ).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const worked = page.waitForRequest(
    (request) => request.url().endsWith('/login') && Boolean(request.headers()['x-work']),
  );
  await logIn(page, person);
  await worked;
  await at(page, '/pricing');
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said))
    .toContain('Checking your browser. This takes a few seconds.');
});
