import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/**
 * The path of the browser: CHROMIUM if set, else the machine's own, else the browser of an installed package.
 * @returns {string}
 */
export function chromiumPath() {
  const repository = join(import.meta.dirname, '../..');
  return (
    process.env.CHROMIUM ||
    execFileSync('go', ['run', './scripts/chromium'], {
      cwd: repository,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim()
  );
}

/** The context of every window: people in India, without movement. */
export const INDIA = /** @type {const} */ ({ reducedMotion: 'reduce', locale: 'en-IN', timezoneId: 'Asia/Kolkata' });

export const openChromium = () =>
  chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox', '--disable-gpu'] });
