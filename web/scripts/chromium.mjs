import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

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
