// Takes the pictures of the product that the public site shows, from a running development stack:
//   make run, then: node web/scripts/screenshots.mjs [http://localhost:8080 [name…]]
// Each picture is WebP, light and dark, and at most 100 KB: 1600 by 1000, 640 by 400 for narrow places, and 720 by 900 of a
// phone's screen, because a desktop picture is too small to read there. The window is small with a high pixel density, so
// that texts stay readable at half size. It signs up a new person and pays in the sandbox: no picture contains customer data.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INDIA, openChromium } from './chromium.mjs';
import { addOutlets, enterStore, invitePartners } from './store-walk.mjs';
import { buyPlan, enterWholeAddress, enterCode, newPerson, openStore, pay, signUp, storeName } from './walk.mjs';

const [, , base = 'http://localhost:8080', ...wanted] = process.argv;
const folder = join(import.meta.dirname, '../src/content/shots');
const WIDTH = 1024;
const HEIGHT = 640;
const LARGE_WIDTH = 1600;
const SMALL_WIDTH = 640;
const PHONE = { width: 360, height: 450 };
const PHONE_WIDTH = 720;
const LARGEST = 100 * 1024;

const browser = await openChromium();
const context = await browser.newContext({
  baseURL: base,
  viewport: { width: WIDTH, height: HEIGHT },
  ...INDIA,
});
const page = await context.newPage();
const devtools = await context.newCDPSession(page);

/** Encodes the screen as WebP, as well as the limit allows; `scale` is the pixels of the picture for one of the window. */
async function encode(scale = 1) {
  const { width, height } = page.viewportSize() ?? PHONE;
  const y = await page.evaluate(() => window.scrollY);
  const clip = { x: 0, y, width, height, scale };
  for (let quality = 82; quality > 30; quality -= 6) {
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality, clip });
    const picture = Buffer.from(data, 'base64');
    if (picture.length <= LARGEST) return picture;
  }
  throw new Error('a picture does not fit into 100 KB');
}

/** Waits until no colour is on its way from one theme to the other any more, however busy the machine is. */
async function settled() {
  await page.waitForTimeout(600);
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await frame();
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    );
    await frame();
    await frame();
  });
}

/**
 * Captures the window in both themes; `sizes` maps name suffixes to scales.
 * @param {string} name
 * @param {[suffix: string, scale: number][]} sizes
 */
async function write(name, sizes) {
  for (const theme of /** @type {const} */ (['light', 'dark'])) {
    // The store's own pages follow the system, the site its attribute.
    await page.emulateMedia({ colorScheme: theme });
    await page.evaluate((chosen) => document.documentElement.setAttribute('data-bs-theme', chosen), theme);
    await settled();
    for (const [ending, scale] of sizes) {
      const picture = await encode(scale);
      await writeFile(join(folder, `${name}-${theme}${ending}.webp`), picture);
      process.stdout.write(`${name}-${theme}${ending}.webp ${Math.round(picture.length / 1024)} KB\n`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(() => document.documentElement.setAttribute('data-bs-theme', 'light'));
}

/**
 * Takes a screen as a desktop and as a phone shows it, `from` the top of that part with `room` above it, for the header. Nothing transient may be in it: no
 * toast, no ring of the focus.
 * @param {string} name
 * @param {string} [from]
 * @param {number} [room]
 */
async function take(name, from, room = 110) {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  await page.locator('main h1').first().waitFor();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const strip = document.querySelector('.contact-strip');
    if (strip instanceof HTMLElement) strip.style.display = 'none';
  });
  const later = page.getByRole('button', { name: 'Later', exact: true });
  if (await later.isVisible()) await later.click(); // the reminder to confirm the e-mail
  await page
    .waitForFunction(() => !document.querySelector('.toast-item, .skeleton, .spinner'), undefined, { timeout: 30_000 })
    .catch(() => undefined);
  if (from) await show(page.locator(from), room);
  await write(name, [
    ['', LARGE_WIDTH / WIDTH],
    [`-${SMALL_WIDTH}`, SMALL_WIDTH / WIDTH],
  ]);
  await page.setViewportSize(PHONE);
  await settled();
  if (from) await show(page.locator(from), room);
  await write(name, [['-phone', PHONE_WIDTH / PHONE.width]]);
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
}

/**
 * Scrolls to a part of the page, leaving room above it.
 * @param {import('playwright-core').Locator} locator
 * @param {number} room
 */
async function show(locator, room) {
  await locator.evaluate(
    (element, above) =>
      window.scrollTo({ top: element.getBoundingClientRect().top + window.scrollY - above, behavior: 'instant' }),
    room,
  );
}

/** The picture that previews of the site show: its first screen, without the strip above. */
async function takePreview() {
  if (wanted.length > 0 && !wanted.includes('og')) return;
  await page.setViewportSize({ width: 1200, height: 630 });
  await page.goto('/');
  await page.waitForFunction(() => document.documentElement.hasAttribute('data-hydrated'));
  await page.evaluate(() => document.querySelector('.contact-strip')?.remove());
  await page.waitForTimeout(500);
  await page.screenshot({
    path: join(import.meta.dirname, '../public/og.jpg'),
    type: 'jpeg',
    quality: 60,
    scale: 'css',
  });
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
}

await mkdir(folder, { recursive: true });
await takePreview();
if (wanted.join() === 'og') {
  await browser.close();
  process.exit();
}
const person = newPerson();

await page.goto('/helpcenter');
await take('help');
await page.goto('/sign-up');
await take('sign-up');
await signUp(page, person);
await take('sign-up-code');
await enterCode(page, base, person);
await page.getByRole('heading', { level: 1, name: 'Where is your business?' }).waitFor();
await page.getByLabel('Location').fill('pune');
await page.getByLabel('Location').press('Enter');
await page.getByRole('option').first().waitFor();
await take('address');
await enterWholeAddress(page);
await take('address-filled');
await page.getByRole('button', { name: /^Save/ }).click();

await page.waitForURL('**/pricing*');
await page.goto('/pricing?billing=annual');
await page.getByRole('link', { name: 'Buy Growth, annual' }).waitFor();
await take('pricing', '.period-switch');
await buyPlan(page, 'Growth');
await take('plan');
const choice = page.url();
await page.goto(choice.replace('/plan/', '/buy/'));
await page.getByRole('button', { name: /^Pay ₹/ }).waitFor();
await page
  .locator('details.door-lines')
  .first()
  .evaluate((lines) => lines.setAttribute('open', ''));
await take('bill', '.door-order', 12);
await page.goto(choice);
await page.getByRole('button', { name: 'View Details' }).click();
await page
  .getByRole('dialog')
  .getByRole('button', { name: /^Pay ₹/ })
  .waitFor();
await take('payment-details');
await page
  .getByRole('dialog')
  .getByRole('button', { name: /^Pay ₹/ })
  .click();
await pay(page);
await take('paid');
await page.goto('/store-details');
await page.getByRole('heading', { level: 1, name: 'Set up your store' }).waitFor();
await take('store-details');
await openStore(page, storeName);
await take('welcome');
await page.goto('/dashboard');
await page.getByRole('heading', { level: 1, name: storeName }).waitFor();
await take('dashboard');
await page.getByRole('button', { name: 'Change custom domain' }).click();
await page.getByRole('dialog').getByRole('textbox', { name: 'Custom domain' }).fill('shop.ashasweets.in');
await page.getByRole('dialog').getByRole('button', { name: 'Update' }).click();
await page
  .getByRole('dialog', { name: 'How to link your domain to IP' })
  .getByRole('heading', { name: /^TXT record/ })
  .evaluate((record) => record.closest('ul')?.scrollIntoView({ behavior: 'instant' }));
await take('domain');
await page.keyboard.press('Escape');
await page.goto('/subscription_list?tab=payments');
await page.getByRole('heading', { level: 1 }).waitFor();
await page.waitForTimeout(1500);
await take('billing');
await page.goto('/account');
await page.getByRole('heading', { level: 1 }).waitFor();
await page.waitForTimeout(800);
await take('account');
await page.goto('/dashboard');
const store = await page.getByRole('link', { name: /^Access Franchise Dashboard/ }).getAttribute('href');
await enterStore(page, store ?? '', person);
await invitePartners(page);
await addOutlets(page);
await page.goto(new URL('/dashboard/outlets?sort=city', page.url()).href);
await take('outlets', '.count', 16);
await page.goto(new URL('/dashboard/partners', page.url()).href);
await take('partners');
await page.goto(new URL('/dashboard', page.url()).href);
await take('store');
await browser.close();
