import { t } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { isEmail, text } from '@/lib/validation';

const digitsOnly = (value: string) => value.replace(/[\s-]+/g, '');
const squeeze = (value: string) => value.trim().replace(/\s+/g, ' ');

/** True while a card's MM/YY has not passed: a card is valid to the end of its month. */
export function isExpiryAhead(value: string, today: Date): boolean {
  const [, month = '', year = ''] = /^(\d{2})\/(\d{2})$/.exec(value) ?? [];
  const number = Number(month);
  if (number < 1 || number > 12) return false;
  const firstDayAfter = new Date(2000 + Number(year), number, 1);
  return firstDayAfter > today;
}

/** Formats an expiry as MM/YY while it is typed: "1227" → "12/27", "5" → "05/". */
export function formatExpiry(typed: string): string {
  const digits = typed.replace(/\D/g, '').slice(0, 4);
  if (digits.length === 1 && Number(digits) > 1) return `0${digits}/`;
  if (digits.length <= 2) return typed.endsWith('/') && digits.length === 2 ? `${digits}/` : digits;
  return `${digits.slice(0, 2)}/${digits.slice(2)}`;
}

export const cardSchema = z.object({
  cardno: text(
    t`Card number`,
    [[(value) => /^\d{16}$/.test(value), t`Please enter a valid card number of 16 digits`]],
    {
      normalise: digitsOnly,
    },
  ),
  expirydate: text(t`Expiry date`, [[(value) => isExpiryAhead(value, new Date()), t`Invalid expiry date`]]),
  cvv: text('CVV', [[(value) => /^\d{3}$/.test(value), t`Please enter a valid CVV of 3 digits`]]),
  cardname: text(
    t`Name on card`,
    [
      [(value) => /^[\p{L}\p{M} ]+$/u.test(value), t`Please enter letters only`],
      [(value) => value.replaceAll(' ', '').length >= 2, t`Please use at least 2 characters`],
      [(value) => value.split(' ').length <= 3, t`Name on card should be one to three words`],
      [(value) => value.length <= 30, t`Name on card should be 30 characters at most`],
    ],
    { normalise: squeeze },
  ),
});

/** A UPI address such as asha@okbank, with or without a dot after the @. */
const isUpi = (value: string) => isEmail(value) || /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$/.test(value);

export const upiSchema = z.object({
  upiID: text(t`UPI ID`, [[isUpi, t`Please enter your valid UPI ID`]]),
});

export const netbankingSchema = z
  .object({
    accno: text(
      t`Bank account number`,
      [[(value) => /^\d{16}$/.test(value), t`Please enter a valid account number of 16 digits`]],
      { normalise: digitsOnly },
    ),
    cnfaccno: text(t`Re-entered account number`, [], { normalise: digitsOnly }),
    ifsc: text(t`IFSC code`, [[(value) => /^[A-Z]{4}0[A-Za-z0-9]{6}$/.test(value), t`Please enter valid IFSC code`]]),
    accname: text(
      t`Account name`,
      [
        [(value) => /^[\p{L}\p{M} ]+$/u.test(value), t`Please enter letters only`],
        [(value) => value.replaceAll(' ', '').length >= 2, t`Please use at least 2 characters`],
      ],
      { normalise: squeeze },
    ),
  })
  .check(
    z.refine((values) => !values.cnfaccno || values.accno === values.cnfaccno, {
      path: ['cnfaccno'],
      error: t`Bank Account number and this should be the same`,
      when: () => true,
    }),
  );
