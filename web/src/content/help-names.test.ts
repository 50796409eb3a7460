// @vitest-environment node

import { expect, test } from 'vitest';

const sources = import.meta.glob<string>(
  [
    '/src/**/*.{ts,tsx}',
    '!/src/**/*.test.*',
    '!/src/content/**',
    '!/src/testing/**',
    '!/src/features/support/**',
    '!/src/**/*.gen.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
);

/** What the screens say: texts between tags, and whole strings. */
function screenTexts(source: string): string[] {
  const between = [...source.matchAll(/>([^<>{}]+)</g)].map(([, text]) => text ?? '');
  const strings = [...source.matchAll(/'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  );
  return [...between, ...strings].map((text) => text.replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim());
}

/** The names of buttons, links and fields that a text prints in bold; a list's own terms and whole sentences are none. */
function quotedNames(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/^- \*\*[^*]+\*\*/, ''));
  return [...lines.join('\n').matchAll(/\*\*([A-Z][^*]*[^*.])\*\*/g)].map(([, name]) => name ?? '');
}

/** Texts of the Hindi catalogue, without their tags and what stands between them. */
function hindiTexts(catalogue: string): string[] {
  return [...catalogue.matchAll(/^msgstr "(.+)"$/gm)].flatMap(([, text = '']) => [
    text,
    ...text.split(/<[^>]*>/).map((part) => part.trim()),
  ]);
}

test('every name that a help article in Hindi prints in bold stands on a screen in Hindi', async () => {
  const { readdirSync, readFileSync } = await import('node:fs');
  const folder = 'src/content/hi/help';
  const said = new Set(hindiTexts(readFileSync('src/locales/hi.po', 'utf8')));
  const english = readdirSync(folder).flatMap((file) =>
    quotedNames(readFileSync(`${folder}/${file}`, 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(english.filter((name) => !said.has(name.replace(/^.*: /, '')))).toEqual([]);
  for (const name of ['फ्रैंचाइज़ डैशबोर्ड खोलें', 'ऐड-ऑन बंद करें', 'इनवॉइस पर नाम']) expect(said).toContain(name);
});

test('every name that a help article prints in bold stands on a screen', async () => {
  const { readdirSync, readFileSync } = await import('node:fs');
  const folder = 'src/content/help';
  const said = new Set(Object.values(sources).flatMap(screenTexts));
  const articles = readdirSync(folder).map((file) => ({
    file,
    names: quotedNames(readFileSync(`${folder}/${file}`, 'utf8')),
  }));
  expect(articles.flatMap(({ names }) => names).length).toBeGreaterThan(20);
  expect(
    articles.flatMap(({ file, names }) => names.filter((name) => !said.has(name)).map((name) => `${file}: ${name}`)),
  ).toEqual([]);
});
