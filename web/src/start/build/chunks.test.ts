// @vitest-environment node

import { expect, test } from 'vitest';
import type { Manifest } from 'vite';
import { assetsOf, chunksOfEveryPage, filesOf } from './chunks';

const manifest: Manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_react'], dynamicImports: ['start.tsx'] },
  _react: { file: 'react.js', name: 'react' },
  'start.tsx': { file: 'start.js', imports: ['_react', '_router'] },
  _router: { file: 'router.js', name: 'router', imports: ['_react'] },
  'pricing.tsx': { file: 'pricing.js', imports: ['_react', '_card'], css: ['pricing.css'] },
  _card: { file: 'card.js', name: 'card', css: ['card.css'], imports: ['_card'] },
  'live-plans.tsx': { file: 'live.js', imports: ['_card'], css: ['live.css', 'card.css'] },
};

test('every page starts with the entry and its imports', () => {
  const started = chunksOfEveryPage(manifest);
  expect(filesOf(manifest, started)).toEqual(['index.js', 'react.js', 'start.js', 'router.js']);
});

test('a page asks for its own scripts, and for the sheets of its late parts too, each once', () => {
  expect(assetsOf(manifest, ['pricing.tsx'], ['live-plans.tsx'])).toEqual({
    scripts: ['pricing.js', 'card.js'],
    styles: ['pricing.css', 'card.css', 'live.css'],
  });
});

test('a module that the build does not know stops the build by name', () => {
  expect(() => assetsOf(manifest, ['prices.tsx'], [])).toThrow('no chunk was built from prices.tsx');
  expect(() => assetsOf(manifest, [], ['late.tsx'])).toThrow('no chunk was built from late.tsx');
});
