// @vitest-environment node

import { expect, test } from 'vitest';
import { escapeHtml, fill, headOf, paintedFirst, sheetsOf, type PageHead } from './page-html';

const template = `<!doctype html>
<html>
  <head>
    <title>Franchise 360</title>
    <!--app-head-->
    <script type="module" crossorigin src="/assets/index-1.js"></script>
    <link rel="modulepreload" crossorigin href="/assets/react-1.js">
    <link rel="stylesheet" crossorigin href="/assets/index-1.css">
  </head>
  <body><div id="root"><!--app-html--></div></body>
</html>`;
const page: PageHead = {
  title: 'Pricing',
  description: 'What it costs',
  kind: 'website',
  structured: [],
  untranslated: false,
};

test('what a page says of itself cannot end its attribute or its script', () => {
  expect(escapeHtml('A & B <"x">')).toBe('A &amp; B &lt;&quot;x&quot;>');
  const head = headOf(
    '/blog',
    { ...page, description: 'Say "yes" & go', structured: [{ name: '</script>' }] },
    '360',
    'en',
  );
  expect(head).toContain('<meta name="description" content="Say &quot;yes&quot; &amp; go" />');
  expect(head.at(-1)).toBe('<script type="application/ld+json">{"name":"\\u003c/script>"}</script>');
});

test('a page names its own address, also to whoever shares it', () => {
  const head = headOf('/pricing', page, 'Franchise 360', 'en');
  expect(head).toContain('<link rel="canonical" href="%PUBLIC_URL%/pricing" />');
  expect(head).toContain('<meta property="og:url" content="%PUBLIC_URL%/pricing" />');
  expect(head).toContain('<meta property="og:site_name" content="Franchise 360" />');
});

test('a page without a description has no empty one', () => {
  const head = headOf('/404', { ...page, description: '' }, 'Franchise 360', 'en');
  expect(head.join()).not.toContain('description');
});

test('the built page is filled, its sheets taken out', () => {
  expect(sheetsOf(template)).toEqual(['assets/index-1.css']);
  const text = fill(template, {
    html: '<h1>Costs $1 & more</h1>',
    title: 'Plans & Pricing',
    head: ['<meta a />', '<b />'],
  });
  expect(text).toContain('<title>Plans &amp; Pricing</title>');
  expect(text).toContain('<div id="root"><h1>Costs $1 & more</h1></div>');
  expect(text).toContain('<meta a />\n    <b />');
  expect(text).not.toContain('stylesheet');
});

test('the shell keeps the title of the site and says that it waits', () => {
  const text = fill(template, { html: '<p>Loading…</p>', head: [] });
  expect(text).toContain('<title>Franchise 360</title>');
  expect(text).toContain('<div id="root"><p>Loading…</p></div>');
});

test('a painted page asks for its scripts by one inline script, React first and the entry last', () => {
  const text = paintedFirst(
    template.replace('<!--app-head-->', '<link rel="modulepreload" crossorigin href="/assets/pricing-1.js" />'),
    ['assets/react-1.js', 'assets/start-1.js', 'assets/index-1.js'],
    'go()',
  );
  expect(text).not.toContain('type="module"');
  expect(text).not.toContain('modulepreload');
  const files = '/assets/react-1.js /assets/start-1.js /assets/pricing-1.js /assets/index-1.js';
  expect(text).toContain(`<script data-files="${files}">go()</script>\n  </head>`);
});
