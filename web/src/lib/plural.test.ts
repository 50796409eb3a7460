import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import { expect, test } from 'vitest';
import { languages, type LanguageCode } from './languages';
import { pluralOf } from './plural';

const articles = (shown: string) => ({ one: `${shown} article`, other: `${shown} articles` });

test('a number takes the form that its language has for it, and Indian grouping', () => {
  expect([0, 1, 2].map((count) => pluralOf(count, articles))).toEqual(['0 articles', '1 article', '2 articles']);
  expect(pluralOf(123456, articles)).toBe('1,23,456 articles');
  expect(pluralOf(1, (shown) => ({ other: `${shown} hits` }))).toBe('1 hits');
});

/** A text of a catalogue for the numbers 0, 1 and 2. */
function formsOf(text: string, language: LanguageCode): string {
  const { tag: locale } = languages[language];
  const i18n = setupI18n({ locale, messages: { [locale]: { text: compileMessage(text) } } });
  const others = { count: 5, names: 'A', list: 'A', day: '1 May', last: '1 May' };
  return [0, 1, 2].map((n) => i18n._('text', { 0: n, days: n, left: n, seconds: n, total: n, ...others })).join(' / ');
}

// English takes the plural for zero, Hindi the singular.
const forms = [
  [
    'A end on 1 May. / A ends on 1 May. / A end on 1 May.',
    'A 1 May को खत्म होगा। / A 1 May को खत्म होगा। / A 1 May को खत्म होंगे।',
  ],
  ['0 articles found / 1 article found / 2 articles found', '0 लेख मिला / 1 लेख मिला / 2 लेख मिले'],
  ['0 days / 1 day / 2 days', '0 दिन / 1 दिन / 2 दिन'],
  ['0 are late / 1 is late / 2 are late', '0 में देर / 1 में देर / 2 में देर'],
  [
    '0 need something from you / 1 needs something from you / 2 need something from you',
    '0 के लिए आपसे कुछ चाहिए / 1 के लिए आपसे कुछ चाहिए / 2 के लिए आपसे कुछ चाहिए',
  ],
  [
    'Credit notes were issued to your GSTIN: A. If you claimed input tax credit on the invoice, reverse the GST of each. / A credit note was issued to your GSTIN: A. If you claimed input tax credit on the invoice, reverse that GST. / Credit notes were issued to your GSTIN: A. If you claimed input tax credit on the invoice, reverse the GST of each.',
    'आपके GSTIN पर एक क्रेडिट नोट जारी हुआ है: A। अगर आपने इनवॉइस पर इनपुट टैक्स क्रेडिट लिया है, तो वह GST वापस करें। / आपके GSTIN पर एक क्रेडिट नोट जारी हुआ है: A। अगर आपने इनवॉइस पर इनपुट टैक्स क्रेडिट लिया है, तो वह GST वापस करें। / आपके GSTIN पर क्रेडिट नोट जारी हुए हैं: A। अगर आपने इनवॉइस पर इनपुट टैक्स क्रेडिट लिया है, तो हर एक का GST वापस करें।',
  ],
  [
    'Until 1 May you keep: A. Then they end. / Until 1 May you keep: A. Then it ends. / Until 1 May you keep: A. Then they end.',
    '1 May तक आपके पास रहेगा: A। फिर वह खत्म हो जाएगा। / 1 May तक आपके पास रहेगा: A। फिर वह खत्म हो जाएगा। / 1 May तक आपके पास रहेंगे: A। फिर वे खत्म हो जाएँगे।',
  ],
  [
    'Your message is not sent yet. Remove A to send it without these files. / Your message is not sent yet. Remove A to send it without this file. / Your message is not sent yet. Remove A to send it without these files.',
    'आपका संदेश अभी नहीं भेजा गया है। इस फ़ाइल के बिना भेजने के लिए A हटाएँ। / आपका संदेश अभी नहीं भेजा गया है। इस फ़ाइल के बिना भेजने के लिए A हटाएँ। / आपका संदेश अभी नहीं भेजा गया है। इन फ़ाइलों के बिना भेजने के लिए A हटाएँ।',
  ],
  ['5 of 0 days / 5 of 1 day / 5 of 2 days', '0 दिन में से 5 / 1 दिन में से 5 / 2 दिनों में से 5'],
  ['in 0 working days / in 1 working day / in 2 working days', '0 कार्य दिवस में / 1 कार्य दिवस में / 2 कार्य दिवसों में'],
  ['0 characters left / 1 character left / 2 characters left', '0 अक्षर शेष / 1 अक्षर शेष / 2 अक्षर शेष'],
  ['0 seconds / 1 second / 2 seconds', '0 सेकंड / 1 सेकंड / 2 सेकंड'],
  ['0 orders / 1 order / 2 orders', '0 ऑर्डर / 1 ऑर्डर / 2 ऑर्डर'],
  ['0 payments / 1 payment / 2 payments', '0 भुगतान / 1 भुगतान / 2 भुगतान'],
];

test('every text with a number has its words for 0, 1 and 2 in English and in Hindi', () => {
  const catalogue = readFileSync(join(import.meta.dirname, '../locales/hi.po'), 'utf8');
  const found = PO.parse(catalogue).items.filter(({ msgid }) => msgid.includes(', plural,'));
  expect(found.map(({ msgid, msgstr: [hindi = ''] }) => [formsOf(msgid, 'en'), formsOf(hindi, 'hi')])).toEqual(forms);
});
