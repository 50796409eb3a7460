// @vitest-environment node

import { transformAsync } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { expect, test } from 'vitest';
import config from '../../../lingui.config';
import { settleMessages, translationsOf } from '../../../vite/translate';

const hindi: Record<string, string> = {
  Login: 'लॉगिन',
  'Save {amount}': '{amount} बचाएँ',
  'Odd {a}': '{a} ` ${ \\',
  '{n, plural, one {# hit} other {# hits}}': '{n, plural, one {# मिला} other {# मिले}}',
  'Read <0>more<1/></0> of {n}': '{n} में से <0>और<1/></0> पढ़ें',
};

async function built(code: string): Promise<string> {
  const textOf = (_: string, message: string) => {
    const text = hindi[message];
    if (!text) throw new Error(`no translation of ${message}`);
    return text;
  };
  const result = await transformAsync(code, {
    filename: 'a.tsx',
    babelrc: false,
    configFile: false,
    generatorOpts: { jsescOption: { minimal: true } },
    parserOpts: { plugins: ['typescript', 'jsx'] },
    plugins: [[macros, { linguiConfig: makeConfig(config), stripMessageField: false }], settleMessages(textOf)],
  });
  return result?.code ?? '';
}

test('a plain text becomes a string, and nothing is called for it', async () => {
  const code = await built("import { t } from '@lingui/core/macro';\nexport const label: string = t`Login`;");
  expect(code).toContain('label: string = "लॉगिन"');
  expect(code).not.toMatch(/i18n|import/);
});

test('a text with values becomes a template, and what would end one is escaped', async () => {
  const code = await built(
    "import { t } from '@lingui/core/macro';\nexport const save = (amount: string) => t`Save ${amount}`;",
  );
  expect(code).toContain('`${amount} बचाएँ`');
  expect(code).not.toMatch(/Save|i18n\._/);
  const odd = await built("import { t } from '@lingui/core/macro';\nexport const odd = (a: string) => t`Odd ${a}`;");
  expect(odd).toContain('`${a} \\` \\${ \\\\`');
});

test('a plural is compiled in the language of the build and chosen by its number', async () => {
  const code = await built(
    "import { plural } from '@lingui/core/macro';\nexport const found = (n: number) => plural(n, { one: '# hit', other: '# hits' });",
  );
  expect(code).toContain('import { pluralOf as _pluralOf } from "@/lib/plural"');
  expect(code).toContain('_pluralOf(n, _shown => ({');
  expect(code).toContain('one: `${_shown} मिला`');
  expect(code).toContain('other: `${_shown} मिले`');
  expect(code).not.toMatch(/hits|i18n/);
});

test('a text with elements becomes markup, with the words in each element', async () => {
  const code = await built(
    'import { Trans } from \'@lingui/react/macro\';\nexport const read = (n: number) => <p><Trans>Read <a href="/x">more<br /></a> of {n}</Trans></p>;',
  );
  expect(code).toContain('<p><>{n}{" में से "}<a href="/x">{"और"}<br /></a>{" पढ़ें"}</></p>');
});

test('a text without a translation stops the build by name', async () => {
  await expect(
    built("import { t } from '@lingui/core/macro';\nexport const a = t`Nobody wrote this`;"),
  ).rejects.toThrow('no translation of Nobody wrote this');
});

test('a catalogue is read by the ids that the macros give', () => {
  const catalogue = `msgid ""
msgstr ""
"Language: hi\\n"

#. placeholder {0}: minutes
msgid " · {0} min read"
msgstr " · {0} मिनट"

msgctxt "of a mandate"
msgid "Cancelled"
msgstr "रद्द"

msgid "Not yet"
msgstr ""
`;
  expect(translationsOf(catalogue)).toEqual({
    [generateMessageId(' · {0} min read')]: ' · {0} मिनट',
    [generateMessageId('Cancelled', 'of a mandate')]: 'रद्द',
    [generateMessageId('Not yet')]: '',
  });
});
