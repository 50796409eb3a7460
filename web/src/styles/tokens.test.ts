// @vitest-environment node
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Pages that stand outside the web client, with copies of its colours. */
const copies = [
  'api/outage/pages.html',
  'api/tenantsite/page/store.css',
  'api/docs/docs.css',
  'pkg/message/email.html',
  'scripts/payusandbox/page/style.html',
  'scripts/razorpaysandbox/page/style.html',
  'scripts/smsinbox/inbox.html',
  'web/public/favicon.svg',
];

/** The colours of a file in six digits; `#fff` is `#ffffff`. */
const coloursIn = (path: string) =>
  [...readFileSync(`../${path}`, 'utf8').matchAll(/(?<!&)#([\da-f]{6}|[\da-f]{3})\b/gi)].map(([, digits = '']) =>
    (digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits).toLowerCase(),
  );

test.each(copies)('%s has no colour but the tokens', (path) => {
  const tokens = new Set(coloursIn('web/src/styles/_tokens.scss'));
  expect(coloursIn(path).filter((colour) => !tokens.has(colour))).toEqual([]);
});
