// @vitest-environment node

import { transformAsync } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { expect, test } from 'vitest';
import config from '../../../lingui.config';
import { settleMessages } from '../../../vite/translate';

const hindi: Record<string, string> = {
  Login: 'लॉगिन',
  'Save {amount}': '{amount} बचाएँ',
  'Read <0>more</0>': '<0>और</0> पढ़ें',
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
  expect(code).not.toMatch(/i18n\._/);
});

test('a text with parts is compiled in the language of the build', async () => {
  const code = await built("import { t } from '@lingui/core/macro';\nexport const save = (amount: string) => t`Save ${amount}`;");
  expect(code).toContain('message: [["amount"], " बचाएँ"]');
  expect(code).not.toContain('Save');
});

test('a text with elements keeps them', async () => {
  const code = await built(
    "import { Trans } from '@lingui/react/macro';\nexport const read = <Trans>Read <a href=\"/x\">more</a></Trans>;",
  );
  expect(code).toContain('<0>और</0> पढ़ें');
  expect(code).toContain('href="/x"');
});

test('a text without a translation stops the build by name', async () => {
  await expect(built("import { t } from '@lingui/core/macro';\nexport const a = t`Nobody wrote this`;")).rejects.toThrow(
    'no translation of Nobody wrote this',
  );
});
