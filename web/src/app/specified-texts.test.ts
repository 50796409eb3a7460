import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import specified from '../testing/specified-texts.json';

// Every text that the two specification documents quote, with its section. `here` is its form in correct English, or its replacement;
// web/DIFFERENCES.md names each of those.

const repository = resolve(import.meta.dirname, '../../..');

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!['testing', 'testdata', 'testkit', 'node_modules'].includes(entry.name)) yield* sources(path);
    } else if (
      /\.(tsx?|go)$/.test(entry.name) &&
      !/(\.test\.tsx?|_test\.go|\.gen\.(ts|go)|\.fixture\.tsx)$/.test(entry.name)
    ) {
      yield readFileSync(path, 'utf8');
    }
  }
}

const all = ['web/src', 'pkg', 'api'].flatMap((folder) => [...sources(join(repository, folder))]).join('\n');
const code = all.replaceAll('’', "'").replaceAll('&amp;', '&').replaceAll("\\'", "'");
const differences = readFileSync(join(repository, 'web/DIFFERENCES.md'), 'utf8');

/** Finds the exact text as a literal or as an element's content; {names} match values, {1} in the server's texts. */
function stands(text: string): boolean {
  const letters = text
    .split(/\{\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', '\\s+'))
    .join('(?:\\$\\{[^{}]+(?:\\{[^{}]*\\})*[^{}]*\\}|\\{\\d\\})');
  return new RegExp(`(?<=[\`'">}]\\s*)${letters}(?=\\s*[.:]?\\s*(?:[\`'"<]|\\$?\\{|\\w+ ?=))`).test(code);
}

test.each(specified.map((row) => [`${row.document}, ${row.section}: ${row.text}`, row] as const))('%s', (_, row) => {
  const here = 'here' in row ? row.here : undefined;
  expect(stands(here ?? row.text), here ?? row.text).toBe(true);
  if (here !== undefined) expect(differences, 'the table of differences names it').toContain(row.text);
});
