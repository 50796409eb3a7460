import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { matchPath } from 'react-router';
import { expect, it } from 'vitest';
import { patternsOf } from './route-list';
import { siteRoutes } from './router';
import { supportRoutes } from './routes/support';

const repository = join(import.meta.dirname, '../../..');

/** The addresses of pages in the server's texts and messages, such as "{url}/requests/"; what is filled in counts as "x". */
function links(): string[] {
  const found = new Set<string>();
  for (const root of ['pkg', 'api', 'worker']) {
    for (const file of readdirSync(join(repository, root), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.go') || file.endsWith('_test.go')) continue;
      const source = readFileSync(join(repository, root, file), 'utf8');
      for (const [, path = ''] of source.matchAll(/\{(?:url|host)\}(\/[a-z][^\s"'`?)]*)/g)) {
        found.add(
          path
            .replace(/\{[^}]*\}/g, 'x')
            .replace(/[.,]$/, '')
            .replace(/\/$/, '/x'),
        );
      }
    }
  }
  return [...found];
}

it('every page that a message links to is there', () => {
  const patterns = patternsOf(siteRoutes(supportRoutes));
  const all = links().filter((path) => path !== '/i/x'); // the server's own page, where partners accept
  expect(all).toContain('/requests/x');
  expect(all.filter((path) => !patterns.some((pattern) => matchPath(pattern, path)))).toEqual([]);
});
