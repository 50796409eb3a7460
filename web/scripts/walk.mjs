// The way of a customer through the product, for the scripts that take pictures and recordings of it.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** The store of the pictures; the demo accounts have "Asha Sweets" itself, whose address would be taken. */
export const storeName = 'Asha Sweets India';

/** A new customer with a unique mobile number. */
export function newPerson() {
  const mobile = `9${randomInt(100_000_000, 1_000_000_000)}`;
  return { mobile, email: 'asha@ashasweets.example', password: 'Mango#2026' };
}

/** Fills the sign-up form in and sends it, up to the window for the code. */
export async function signUp(page, person) {
  await page.getByLabel('Email').fill(person.email.replace('@', `+${person.mobile.slice(-4)}@`));
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Mobile number').fill(person.mobile);
  await page.getByRole('checkbox', { name: /I agree/ }).check();
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByLabel('Verification code').waitFor();
}

/** The code that was sent last to a number, from the stack's inbox. */
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

export async function enterCode(page, base, person) {
  await page.getByLabel('Verification code').fill(await codeFor(base, person.mobile));
  await page.keyboard.press('Enter');
}

/** Fills in the business address from a pincode; the caller saves it. */
export async function enterAddress(page) {
  await page.getByLabel('Location').fill('411001');
  await page.getByLabel('Location').press('Enter');
  await page.getByRole('option').first().click();
  await page.waitForFunction(() => document.querySelector('input[name=zipcode]')?.value === '411001');
  await page.getByLabel('House number and floor').fill('12/4, Second floor');
  await page.getByLabel('Building and block').fill('Sunrise Towers');
  await page.getByLabel('Landmark').fill('Opp. City Mall');
  await page.getByLabel('Name for the invoice').fill('Asha Sweets');
}

/** From the pricing page to the choice of a plan's services. */
export async function buyPlan(page, plan) {
  await page.getByRole('link', { name: `Buy ${plan}, annual` }).click();
  await page.getByRole('heading', { level: 1, name: 'Choose Your Plan' }).waitFor();
  await page.getByRole('button', { name: 'View Details' }).waitFor();
}

/** Pays on the sandbox's page and comes back. */
export async function endPayment(page) {
  await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
  await page.getByRole('button', { name: /^Pay ₹/ }).click();
  await page.waitForURL(/\/checkout\/result\//);
  await page.getByRole('heading', { level: 1, name: 'Congratulations!' }).waitFor();
}

/** Fills the store's details in, up to its welcome. */
export async function openStore(page, name) {
  await page.getByLabel('Store Name').fill(name);
  await page.getByRole('combobox', { name: /Store type/ }).click();
  await page.getByRole('option').first().click();
  await page.getByLabel('Store password', { exact: true }).fill('Mango#2026');
  await page.getByLabel('Store password', { exact: true }).press('Enter');
  await page.waitForURL('**/store-details/my-store');
}
