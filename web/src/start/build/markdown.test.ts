// @vitest-environment node

import { expect, test } from 'vitest';
import { plain } from '../../../vite/markdown.ts';

test('the words of a text have no marks, and no blanks in their place', () => {
  const text =
    'Open **Renewals**, and choose **Invoice**.\n\n- Same State: [CGST](/x) 9%.\n1. Wait.\n\n## Then\n| A | B |\n|---|---|\n| 1 | 2 |';
  expect(plain(text)).toBe('Open Renewals, and choose Invoice. Same State: CGST 9%. Wait. Then A B 1 2');
});
