// Writes the colours of src/styles/_tokens.scss into the files that cannot read them: pages outside the web client, e-mail and icon.
// `colours` names the token of each colour of a file, in the file's order; a token of the dark theme begins with "dark-".
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** @param {string} path */
const read = (path) => readFileSync(root + path, 'utf8');
const colours = {
  'api/outage/pages.html':
    'bg surface text muted primary on-primary gold line focus dark-bg dark-surface dark-text dark-muted dark-primary dark-on-primary dark-gold dark-line dark-focus',
  'api/tenantsite/page/store.css':
    'bg surface text muted primary on-primary primary-hover control line danger success warning focus dark-bg dark-surface dark-text dark-muted dark-primary dark-on-primary dark-primary-hover dark-control dark-line dark-danger dark-success dark-warning dark-focus',
  'api/docs/docs.css':
    'bg dark-bg surface dark-surface text dark-text muted dark-muted line dark-line link dark-link gold-text dark-gold danger dark-danger success dark-success focus dark-focus',
  'pkg/message/email.html':
    'dark-bg dark-surface dark-text dark-muted dark-line dark-primary dark-on-primary dark-primary surface surface primary bg text text line line muted line text primary on-primary muted muted muted muted muted',
  'scripts/payusandbox/page/style.html':
    'surface bg text muted control primary on-primary danger success warning dark-bg dark-surface dark-text dark-muted dark-control dark-primary dark-on-primary dark-danger dark-success dark-warning',
  'scripts/razorpaysandbox/page/style.html':
    'surface bg text muted control primary on-primary danger success warning dark-bg dark-surface dark-text dark-muted dark-control dark-primary dark-on-primary dark-danger dark-success dark-warning',
  'scripts/smsinbox/inbox.html':
    'surface bg text muted line link dark-bg dark-surface dark-text dark-muted dark-line dark-link bg',
  'web/public/favicon.svg': 'primary primary gold dark-primary dark-primary dark-gold',
  'web/index.html': 'bg dark-bg',
};
const source = read('web/src/styles/_tokens.scss');
const variables = Object.fromEntries(
  [...source.matchAll(/^(\$\w+): (#[\da-f]{6});/gm)].map(([, name, value]) => [name, value]),
);
const [light = '', dark = ''] = source.split('@mixin dark {').map((part) => part.split('\n}\n\n:root')[0]);
/** @type {Record<string, string>} */
const tokens = {};
for (const [prefix, block] of Object.entries({ '': light, 'dark-': dark }))
  for (const [, name = '', value = ''] of block.matchAll(/--f-([\w-]+): (?:#\{)?(#[\da-f]{6}|\$\w+)\}?;/g))
    tokens[prefix + name] = variables[value] ?? value;

/** @param {string} colour */
const shorten = (colour) => colour.replace(/#(.)\1(.)\2(.)\3/, '#$1$2$3');
for (const [path, list] of Object.entries(colours)) {
  const names = list.split(' ');
  let at = 0;
  const text = read(path).replaceAll(/(?<!&)#(?:[\da-f]{6}|[\da-f]{3})\b/gi, (before) => {
    const colour = tokens[names[at] ?? ''];
    at += 1;
    if (!colour) throw new Error(`${path}: colour ${at} (${before}) has no token. Name it in scripts/tokens.mjs.`);
    return before.length === 4 ? shorten(colour) : colour;
  });
  if (at !== names.length) throw new Error(`${path} has ${at} colours, scripts/tokens.mjs names ${names.length}.`);
  writeFileSync(root + path, text);
}
