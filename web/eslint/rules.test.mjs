// @vitest-environment node

import { RuleTester } from 'eslint';
import { afterAll, describe, it } from 'vitest';
import { maxHooks } from './max-hooks.mjs';
import { rawInputs } from './raw-inputs.mjs';

Object.assign(RuleTester, { afterAll, describe, it });
const tester = new RuleTester({ languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } } });

tester.run('raw-inputs', rawInputs, {
  valid: ['<TextField name="city" label="City" />', '<form.input />', '<button />'],
  invalid: ['input', 'select', 'textarea'].map((name) => ({
    code: `<${name} className="input" />`,
    errors: [{ message: `Use a field of ui/form instead of <${name}>.` }],
  })),
});

tester.run('max-hooks', maxHooks, {
  valid: [{ code: 'function A() { useB(); function C() { useB(); } }', options: [1] }],
  invalid: [{ code: 'function A() { useB(); React.useC(); }', options: [1], errors: [{ messageId: 'tooMany' }] }],
});
