// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The literal with which a key begins: `queryKey: ['team', …]`, `const requestsKey = ['requests']`, `setQueryData(['team'], …)`. */
const written = /(?:queryKey: |\w*Key = |invalidates: \[|(?:get|set)QueryData\()\['([\w-]+)'/g;

test('each query key is written in one file; other files use that query’s key', () => {
  const files = new Map<string, Set<string>>();
  for (const path of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path) || /\.(test|fixture|gen)\./.test(path)) continue;
    for (const [, root = ''] of readFileSync(`src/${path}`, 'utf8').matchAll(written))
      files.set(root, (files.get(root) ?? new Set()).add(path));
  }
  expect(files.size).toBeGreaterThan(30);
  expect([...files].filter(([, paths]) => paths.size > 1)).toEqual([]);
});
