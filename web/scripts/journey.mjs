// Walks from the landing page to a paid plan like a new customer, on a phone with a slow network, and prints the times next to the goals:
// make run, then: make journey [SITE=http://localhost:8080]. Fails if a goal is missed.
import { INDIA, openChromium } from './chromium.mjs';
import { codeFor, newPerson, pincodeFilledIn } from './walk.mjs';

const [, , base = 'http://localhost:8080'] = process.argv;
/** A phone at the edge of its network: 400 kb/s and 400 ms. */
const NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** Between two keys, in milliseconds. */
const KEY_MS = 120;
const DOORS = ['/', '/pricing', '/login', '/sign-up', '/start-free-trial', '/forgot-password'];

const browser = await openChromium();

async function phone() {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 360, height: 740 },
    ...INDIA,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', NETWORK);
  return { context, page };
}

/**
 * Seconds from the request of a page to the frame in which its heading can be read, with nothing cached.
 * @param {string} path
 */
async function readable(path) {
  const { context, page } = await phone();
  await page.addInitScript(() => {
    const look = () => {
      const painted = performance.getEntriesByName('first-contentful-paint').length > 0;
      if (painted && document.querySelector('h1')?.checkVisibility()) performance.mark('readable');
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(path, { waitUntil: 'commit' });
  const mark = await page.waitForFunction(() => performance.getEntriesByName('readable')[0]?.startTime);
  const seconds = Number(await mark.jsonValue()) / 1000;
  await context.close();
  return seconds;
}

const counts = { fields: 0, boxes: 0, taps: 0, screens: 0 };
/** @type {string[]} */
const seen = [];
const { context, page } = await phone();

/** @param {import('playwright-core').Locator} target */
async function tap(target) {
  counts.taps += 1;
  await target.click();
}
/**
 * @param {string} label
 * @param {string} text
 */
async function type(label, text) {
  const field = page.getByLabel(label, { exact: true });
  await field.waitFor();
  counts.fields += 1;
  await field.click();
  await field.pressSequentially(text, { delay: KEY_MS });
}
/** @param {string} heading */
async function screen(heading) {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  counts.screens += 1;
  seen.push(`${((Date.now() - start) / 1000).toFixed(1)} s  ${heading}`);
}
/** @param {string | RegExp} name */
const button = (name) => page.getByRole('button', { name });

const person = newPerson();
const start = Date.now();
await page.goto('/');
await screen('Digital Franchise System');
await tap(page.getByRole('link', { name: 'Get Started' }).first());
await screen('Plans and Pricing');
await tap(page.getByRole('radio', { name: 'Annual' }));
await tap(page.getByRole('link', { name: 'Buy Growth, annual' }));
await screen('Choose Your Plan');
await page.getByRole('status').getByText(/₹\d/).first().waitFor();
await tap(button('Secure Payment'));
await screen('Your account');
await type('Email', person.email);
await type('Password', person.password);
await type('Mobile number', person.mobile);
counts.boxes += 1;
await tap(page.getByRole('checkbox', { name: /I agree/ }));
await tap(button('Create account').last());
await page.getByLabel('Verification code').waitFor();
await type('Verification code', await codeFor(base, person.mobile));
await page.keyboard.press('Enter');
await screen('Billing and payment');
await type('Name for the invoice', 'Asha Sweets');
await type('Location', '411001');
await tap(page.getByRole('option').first());
await pincodeFilledIn(page);
await type('House number and floor', '12/4');
await tap(button(/^Pay ₹/));
await page.getByRole('heading', { name: 'Complete your payment' }).waitFor();
const atGateway = (Date.now() - start) / 1000;
await button(/^Pay ₹/).click();
await page.getByRole('heading', { level: 1, name: 'Congratulations' }).waitFor();
const paid = (Date.now() - start) / 1000;
await context.close();

/** @type {[name: string, value: number, goal: number | null][]} */
const figures = [
  ['Typed fields', counts.fields, 7],
  ['Typed fields, code filled in by the phone', counts.fields - 1, 6],
  ['Boxes to tick', counts.boxes, 1],
  ['Screens of our own before paying', counts.screens, 5],
  ['Taps beside those into fields', counts.taps, null],
  ['Seconds to the gateway, typing included', atGateway, null],
  ['Seconds to paid', paid, null],
];
for (const path of DOORS) figures.push([`Heading of ${path} readable, seconds`, await readable(path), 1.5]);
await browser.close();

/** @param {number} value */
const shown = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
console.log(`From the landing page to paid, 360 px, 400 kb/s, 400 ms, ${KEY_MS} ms a key\n`);
for (const line of seen) console.log(`  ${line}`);
console.log();
for (const [name, value, goal] of figures) {
  const verdict = goal === null ? '' : `goal ${goal}${value > goal ? '  MISSED' : ''}`;
  console.log(`  ${name.padEnd(48)}${shown(value).padStart(6)}   ${verdict}`);
}
if (figures.some(([, value, goal]) => goal !== null && value > goal)) process.exitCode = 1;
