// Records the tutorials of the public site from a running development stack, by screenshots of the browser and ffmpeg:
//   make run, then: node web/scripts/record.mjs [http://localhost:8080]
//   node web/scripts/record.mjs http://localhost:8080 domain   records one of them
// Each recording is WebM and MP4 without sound, with captions (WebVTT) of the steps' texts. Its poster
// is one of the pictures of screenshots.mjs.
import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INDIA, openChromium } from './chromium.mjs';
import { buyPlan, codeFor, enterWholeAddress, newPerson, openStore, pay, storeName } from './walk.mjs';

const [, , base = 'http://localhost:8080', ...wanted] = process.argv;
const folder = join(import.meta.dirname, '../src/content/recordings');
const WIDTH = 1024;
const HEIGHT = 640;
/** The window is small and its pixels fine, so that the words are read in a player of half its size. */
const FINENESS = 1.25;
const FRAMES_A_SECOND = 8;
const SLOWLY = 45;

/**
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<void>}
 */
function run(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', (error) => reject(new Error(`${command} is needed to record`, { cause: error })));
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}

/** @param {number} seconds */
const clock = (seconds) => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);

/**
 * Takes frames while `play` acts, and stores the first frame of each caption. On a busy machine a late frame is repeated for the missed
 * ones, so that the video keeps real time.
 * @param {import('./walk.mjs').Page} page
 * @param {string} id
 * @param {(say: (words: string) => unknown) => Promise<unknown>} play
 */
async function record(page, id, play) {
  if (wanted.length > 0 && !wanted.includes(id)) return play(() => undefined);
  const frames = await mkdtemp(join(tmpdir(), 'franchise360-record-'));
  /** @param {number} number */
  const frame = (number) => join(frames, `${String(number).padStart(5, '0')}.jpg`);
  /** @type {{ words: string, from: number }[]} */
  const captions = [];
  const started = Date.now();
  let count = 0;
  let going = true;
  const shoot = (async () => {
    while (going) {
      await page.screenshot({ path: frame(count), type: 'jpeg', quality: 92 });
      const taken = count;
      const due = Math.floor(((Date.now() - started) / 1000) * FRAMES_A_SECOND);
      for (count += 1; count <= due; count += 1) await copyFile(frame(taken), frame(count));
      await new Promise((resolve) =>
        setTimeout(resolve, Math.max(0, started + (count * 1000) / FRAMES_A_SECOND - Date.now())),
      );
    }
  })();
  await play((words) => captions.push({ words, from: count / FRAMES_A_SECOND }));
  await page.waitForTimeout(2500);
  going = false;
  await shoot;
  const length = count / FRAMES_A_SECOND;
  const cues = captions.map(
    ({ words, from }, index) => `${clock(from)} --> ${clock(captions[index + 1]?.from ?? length)}\n${words}\n`,
  );
  await writeFile(join(folder, `${id}.vtt`), `WEBVTT\n\n${cues.join('\n')}`);
  const input = ['-v', 'error', '-y', '-framerate', String(FRAMES_A_SECOND), '-i', join(frames, '%05d.jpg')];
  await run('ffmpeg', [
    ...input,
    '-c:v',
    'libvpx-vp9',
    '-b:v',
    '0',
    '-crf',
    '42',
    '-deadline',
    'good',
    '-cpu-used',
    '4',
    '-row-mt',
    '1',
    '-pix_fmt',
    'yuv420p',
    join(folder, `${id}.webm`),
  ]);
  await run('ffmpeg', [
    ...input,
    '-c:v',
    'libx264',
    '-crf',
    '30',
    '-preset',
    'medium',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
    join(folder, `${id}.mp4`),
  ]);
  await rm(frames, { recursive: true });
  for (const ending of ['webm', 'mp4'])
    process.stdout.write(
      `${id}.${ending} ${Math.round((await stat(join(folder, `${id}.${ending}`))).size / 1024)} KB\n`,
    );
}

await mkdir(folder, { recursive: true });
const browser = await openChromium();
const context = await browser.newContext({
  baseURL: base,
  viewport: { width: WIDTH, height: HEIGHT },
  deviceScaleFactor: FINENESS,
  colorScheme: 'light',
  ...INDIA,
});
const page = await context.newPage();
const person = newPerson();
/**
 * @param {import('playwright-core').Locator} field
 * @param {string} words
 */
const type = async (field, words) => {
  await field.click();
  await field.pressSequentially(words, { delay: SLOWLY });
};

await page.goto('/sign-up');
await record(page, 'sign-up', async (say) => {
  say('Type your e-mail address, a password and your mobile number.');
  await type(page.getByLabel('Email'), person.email);
  say('The list under the password ticks off each rule as you meet it.');
  await type(page.getByLabel('Password', { exact: true }), person.password);
  await type(page.getByLabel('Mobile number'), person.mobile);
  await page.getByRole('checkbox', { name: /I agree/ }).check();
  await page.getByRole('button', { name: 'Sign up' }).click();
  say('We send a code by SMS. Type its six digits; after 59 seconds you can ask for another.');
  await page.getByLabel('Verification code').waitFor();
  await page.waitForTimeout(1500);
  await type(page.getByLabel('Verification code'), await codeFor(base, person.mobile));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Where is your business?' }).waitFor();
});

await record(page, 'address', async (say) => {
  say('Type a few letters of your locality and choose it from the list.');
  await type(page.getByLabel('Location'), 'pune');
  await page.getByLabel('Location').press('Enter');
  await page.getByRole('option').first().waitFor();
  await page.waitForTimeout(1500);
  say('City, State and pincode fill in automatically. Add house number, building and landmark.');
  await enterWholeAddress(page);
  await page.waitForTimeout(1500);
  say('Your GSTIN is optional. With it, the invoice is addressed to your company.');
  await page.getByRole('button', { name: /^Save/ }).scrollIntoViewIfNeeded();
  await page.waitForTimeout(2500);
});
await page.getByRole('button', { name: /^Save/ }).click();
await page.waitForURL('**/pricing*');

await record(page, 'choose-plan', async (say) => {
  say('Compare the plans, monthly or annual.');
  await page.waitForTimeout(2000);
  await page.locator('label', { hasText: 'Annual' }).click();
  await page.getByRole('link', { name: 'Buy Growth, annual' }).scrollIntoViewIfNeeded();
  await page.waitForTimeout(2500);
  say('Pick a tier by the number of franchises, and the add-ons you want.');
  await buyPlan(page, 'Growth');
  await page.waitForTimeout(1500);
  await page.getByRole('radio', { name: /^Apex/ }).click();
  await page.waitForTimeout(2000);
  say('“View Details” shows every line, GST, the total and the renewal date.');
  await page.getByRole('button', { name: 'View Details' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Pay ₹/ })
    .waitFor();
  await page.waitForTimeout(2500);
});
await page
  .getByRole('dialog')
  .getByRole('button', { name: /^Pay ₹/ })
  .click();
await pay(page);
await page.getByRole('link', { name: 'View Order' }).click();
await page.getByRole('heading', { level: 1, name: 'Set up your store' }).waitFor();

await record(page, 'store', async (say) => {
  say('Give your store a name, choose its type, and set its password.');
  await page.waitForTimeout(2500);
  await openStore(page, storeName);
  say('The welcome screen shows what is done and what is left.');
  await page.waitForTimeout(3000);
});

await page.goto('/dashboard');
await page.getByRole('heading', { level: 1, name: storeName }).waitFor();
await record(page, 'domain', async (say) => {
  say('On the dashboard, choose “Change custom domain”.');
  const change = page.getByRole('button', { name: 'Change custom domain' });
  await change.scrollIntoViewIfNeeded();
  await page.waitForTimeout(2000);
  await change.click();
  say('Type the domain that you own. Until it is linked, the default address keeps working.');
  const dialog = page.getByRole('dialog');
  await type(dialog.getByRole('textbox', { name: 'Custom domain' }), `shop.${person.mobile.slice(-4)}-ashasweets.in`);
  await page.waitForTimeout(1500);
  await dialog.getByRole('button', { name: 'Update' }).click();
  const records = page.getByRole('dialog', { name: 'How to link your domain to IP' });
  await records.getByRole('heading', { name: /^TXT record/ }).waitFor();
  say(
    'Copy the two records into the settings of your domain provider: one proves that the domain is yours, the other points it to us.',
  );
  await page.waitForTimeout(4000);
  await records.getByRole('button', { name: 'Check again' }).scrollIntoViewIfNeeded();
  say('We check them automatically, and again whenever you ask. Until then your store stays on its default address.');
  await page.waitForTimeout(3500);
});
await page.keyboard.press('Escape');

await page.goto('/subscription_list');
await page.getByRole('heading', { level: 1 }).waitFor();
await record(page, 'invoices', async (say) => {
  say('Orders are listed with their dates and status.');
  await page.waitForTimeout(3500);
  say('Payments are on the other tab; each has its GST invoice as PDF.');
  await page.getByRole('tab', { name: 'Payments' }).click();
  await page.waitForTimeout(4500);
});
await browser.close();
