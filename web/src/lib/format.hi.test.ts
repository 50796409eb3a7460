import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatDate } from './format';

const server = readFileSync('../pkg/platform/i18n/locales/hi.po', 'utf8');

test.each(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])(
  'writes %s as the server does',
  (month) => {
    const [, name = ''] = new RegExp(`msgctxt "month"\\nmsgid "${month}"\\nmsgstr "(.+)"`).exec(server) ?? [];
    const number = new Date(`1 ${month} 2026 00:00Z`).getUTCMonth() + 1;
    expect(formatDate(`2026-${number}-05`)).toBe(`5 ${name} 2026`);
  },
);
