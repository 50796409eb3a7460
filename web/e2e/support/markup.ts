import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HtmlValidate } from 'html-validate';
import type { Page } from 'playwright-core';

/** IBM's accessibility checker: it finds what axe does not, such as groups of radio buttons that are torn apart. */
const engine = readFileSync(createRequire(import.meta.url).resolve('accessibility-checker-engine/ace.js'), 'utf8');

/** On phones list headings are visually hidden, and this rule reports them as missing; axe checks them, too. */
const MISJUDGED = 'table_headers_exists';

/** A form without a name is not a landmark (HTML Accessibility API Mappings), so several forms need no separate names. */
const isUnnamedForm = (ruleId: string, snippet: string) =>
  ruleId === 'aria_form_label_unique' && !/ aria-label(ledby)?=/.test(snippet);

interface Finding {
  ruleId: string;
  value: [policy: string, outcome: string];
  message: string;
  snippet: string;
}

declare global {
  interface Window {
    ace?: { Checker: new () => { check: (root: Document, rules: string[]) => Promise<{ results: Finding[] }> } };
  }
}

/** Definite violations of WCAG 2.2 from IBM's checker, without its recommendations. */
async function ibmFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => window.ace !== undefined))) await page.evaluate(engine);
  const found = await page.evaluate(async () => {
    const checker = window.ace && new window.ace.Checker();
    return (await checker?.check(document, ['WCAG_2_2']))?.results.filter(
      ({ value: [kind, outcome] }) => kind === 'VIOLATION' && outcome === 'FAIL',
    );
  });
  if (!found) throw new Error('the accessibility checker of IBM is not there');
  const sure = found.filter(({ ruleId, snippet }) => ruleId !== MISJUDGED && !isUnnamedForm(ruleId, snippet));
  return sure.map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`);
}

/** The rules of HTML itself, not of taste. The validator of the W3C needs Java, which not every machine has. */
const validator = new HtmlValidate({
  elements: ['html5'],
  rules: {
    'element-permitted-content': 'error',
    'element-permitted-occurrences': 'error',
    'element-permitted-order': 'error',
    'element-permitted-parent': 'error',
    'element-required-ancestor': 'error',
    'element-required-attributes': 'error',
    'element-required-content': 'error',
    'no-dup-attr': 'error',
    'no-dup-id': 'error',
    'valid-autocomplete': 'error',
    'valid-for': 'error',
    'valid-id': ['error', { relaxed: true }],
  },
});

/** The elements that break a rule of HTML which the validator does not know. */
function furtherFaults(): string[] {
  const faults: string[] = [];
  for (const element of document.querySelectorAll('[srcset]')) {
    if (/\s\d+w\b/.test(element.getAttribute('srcset') ?? '') && !element.hasAttribute('sizes'))
      faults.push(`srcset without sizes: ${element.outerHTML}`);
  }
  for (const picture of document.querySelectorAll('picture:has([sizes])')) {
    for (const source of picture.querySelectorAll('source:not([sizes])'))
      faults.push(`source without sizes: ${source.outerHTML}`);
  }
  for (const time of document.querySelectorAll('time[datetime]')) {
    if (
      !/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(time.getAttribute('datetime') ?? '')
    )
      faults.push(`no valid datetime: ${time.outerHTML}`);
  }
  return faults;
}

async function htmlFaults(page: Page): Promise<string[]> {
  const report = await validator.validateString(await page.content());
  const found = report.results.flatMap(({ messages }) => messages);
  return [
    ...found.map(({ ruleId, message, selector }) => `${ruleId}: ${message} ${selector}`),
    ...(await page.evaluate(furtherFaults)),
  ];
}

const seen = new Set<string>();

/** A screen regardless of the ids in its URL; each dialog counts as a separate screen. */
async function screenOf(page: Page): Promise<string> {
  const dialogs = await page.getByRole('dialog').allInnerTexts();
  const path = new URL(page.url()).pathname.replace(/[^/]*\d[^/]*/g, ':id');
  return [path, ...dialogs.map((text) => text.split('\n')[0])].join(' ');
}

/** What is wrong with the markup of a screen; empty for a screen that this worker has checked before. */
export async function markupFaults(page: Page): Promise<string[]> {
  const screen = await screenOf(page);
  if (seen.has(screen)) return [];
  seen.add(screen);
  return [...(await htmlFaults(page)), ...(await ibmFaults(page))];
}
