import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverPatterns, serverSentences } from './server-texts';

const repository = join(import.meta.dirname, '../../../..');

/** The server's source without its tests, strings that are joined over lines made whole. */
function source(): string {
  const read = (path: string) => readFileSync(join(repository, path), 'utf8');
  const files = ['pkg', 'api'].flatMap((root) =>
    readdirSync(join(repository, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:go|json|sql)$/.test(file) && !file.endsWith('_test.go'))
      .map((file) => join(root, file)),
  );
  const migrations = readdirSync(join(repository, 'migrations'), { encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql') || file.endsWith('.json'))
    .map((file) => join('migrations', file));
  return [...files, ...migrations]
    .map(read)
    .join('\n')
    .replaceAll(/" \+\s*"/g, '')
    .replaceAll("''", "'");
}

/** The longest literal part of a pattern. */
function fixedPart(pattern: string): string {
  const parts = pattern
    .replaceAll(/\((?:[^()]|\([^()]*\))*\)/g, '\0')
    .replaceAll('\\', '')
    .split('\0');
  return parts.map((part) => part.trim()).sort((a, b) => b.length - a.length)[0] ?? '';
}

const server = source();

test('every sentence that is translated is one of the server’s', () => {
  const sentences = Object.keys(serverSentences());
  expect(sentences.length).toBeGreaterThan(30);
  expect(sentences.filter((sentence) => !server.includes(sentence))).toEqual([]);
});

test('every pattern has words of the server’s', () => {
  // What becomes of the plan is a variable of pkg/subscription's preview.
  const fixed = serverPatterns().map(([pattern]) => fixedPart(pattern).replace(/ (?:changes|stays the same) on$/, ''));
  expect(fixed.filter((words) => !server.includes(words))).toEqual([]);
});
