import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * The program of the browser: the one that CHROMIUM names, the machine's own, or else one that is installed as a package.
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
