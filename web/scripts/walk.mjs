// The way of a customer through the product, for the browser tests and for the scripts that take pictures and recordings of it.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The store of the pictures; the demo accounts have "Asha Sweets" itself, whose address would be taken. */
export const storeName = 'Asha Sweets India';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {{ mobile: string, email: string, password: string }} Person */

/**
 * A new customer with a unique mobile number.
 * @returns {Person}
 */
export function newPerson() {
  const mobile = `9${randomInt(100_000_000, 1_000_000_000)}`;
  return { mobile, email: `asha${mobile}@example.in`, password: 'Mango#2026' };
}

/**
 * Fills the sign-up form in and sends it, up to the window for the code.
 * @param {Page} page
 * @param {Person} person
 */
export async function signUp(page, person) {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByRole('checkbox', { name: /I agree/ }).check();
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Verification code').waitFor();
}

/**
 * The code that was sent last to a number, from the stack's inbox.
 * @param {string} base
 * @param {string} mobile
 * @returns {Promise<string>}
 */
export async function codeFor(base, mobile) {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(`${base}/dev/sms?mobile=${mobile}`);
    const body = await answer.json();
    const [newest] = Array.isArray(body) ? body : (body.data ?? []);
    const code = /\b(\d{6})\b/.exec(newest?.body ?? '')?.[1];
    if (code) return code;
    await sleep(200);
  }
  throw new Error('no code came');
}

/**
 * @param {Page} page
 * @param {string} base
 * @param {Person} person
 */
export async function enterCode(page, base, person) {
  await page.getByLabel('Verification code').fill(await codeFor(base, person.mobile));
  await page.keyboard.press('Enter');
}

/**
 * Waits until the chosen place has filled in its pincode.
 * @param {Page} page
 */
export async function pincodeFilledIn(page) {
  await page.waitForFunction(() => {
    const pincode = document.querySelector('input[name=zipcode]');
    return pincode instanceof HTMLInputElement && pincode.value === '411001';
  });
}

/**
 * Fills in what a business address needs, from a pincode; the caller saves it.
 * @param {Page} page
 */
export async function enterAddress(page) {
  await page.getByLabel('Location').fill('411001');
  await page.getByLabel('Location').press('Enter');
  await page.getByRole('option').first().click();
  await pincodeFilledIn(page);
  await page.getByLabel('House number and floor').fill('12/4, Second floor');
  await page.getByLabel('Name for the invoice').fill('Asha Sweets');
}

/**
 * The same with the fields that may stay empty.
 * @param {Page} page
 */
export async function enterWholeAddress(page) {
  await enterAddress(page);
  await page.getByLabel('Building and block').fill('Sunrise Towers');
  await page.getByLabel('Landmark').fill('Opp. City Mall');
}

/**
 * From the pricing page to the choice of a plan's services.
 * @param {Page} page
 * @param {string} plan
 */
export async function buyPlan(page, plan) {
  await page.getByRole('link', { name: `Buy ${plan}, annual` }).click();
  await page.getByRole('heading', { level: 1, name: 'Choose Your Plan' }).waitFor();
}

/**
 * Completes a payment on the sandbox's own page, which sends the browser back.
 * @param {Page} page
 * @param {'Pay' | 'Fail' | 'Leave pending' | 'Charge a wrong amount'} ending the name of the button
 */
export async function endPayment(page, ending) {
  await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
  await page.getByRole('button', { name: ending === 'Pay' ? /^Pay ₹/ : ending, exact: true }).click();
  await page.waitForURL(/\/checkout\/result\//);
}

/**
 * Pays, up to the receipt.
 * @param {Page} page
 */
export async function pay(page) {
  await endPayment(page, 'Pay');
  await page.getByRole('heading', { level: 1, name: 'Congratulations!' }).waitFor();
}

/**
 * Fills the store's details in, up to its welcome.
 * @param {Page} page
 * @param {string} name
 */
export async function openStore(page, name) {
  await page.getByLabel('Store Name').fill(name);
  await page.getByRole('combobox', { name: /Store type/ }).click();
  await page.getByRole('option').first().click();
  await page.getByLabel('Store password', { exact: true }).fill('Mango#2026');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL('**/store-details/my-store');
}

/**
 * Signs in at a store's own dashboard, whatever screen follows.
 * @param {Page} store
 * @param {Pick<Person, 'mobile' | 'password'>} person
 */
export async function signInAtStore(store, person) {
  await store.getByLabel('Store username').fill(person.mobile);
  await store.getByLabel('Store password', { exact: true }).fill(person.password);
  await store.getByRole('button', { name: 'Sign in' }).click();
}
