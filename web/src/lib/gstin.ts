import { t } from '@lingui/core/macro';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const SHAPE = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][Z1-9ABD-J][0-9A-Z]$/;

/** True for a GSTIN whose format and check character are correct. */
export function isGstin(value: string): boolean {
  if (!SHAPE.test(value)) return false;
  const sum = [...value.slice(0, 14)].reduce((total, letter, index) => {
    const product = ALPHABET.indexOf(letter) * (index % 2 === 0 ? 1 : 2);
    return total + Math.floor(product / 36) + (product % 36);
  }, 0);
  return ALPHABET[(36 - (sum % 36)) % 36] === value[14];
}

/** What is wrong with a GSTIN, the first error only. */
export const gstinChecks: [holds: (value: string) => boolean, message: string][] = [
  [
    (value) => !/^\d{4}[A-Z]{3}\d{5}(UN|ON)[0-9A-Z]$/.test(value),
    t`This is a UIN of an embassy or a United Nations body, not a GSTIN. Leave the field empty: the invoice is issued without it.`,
  ],
  [
    (value) => !/^\d{4}[A-Z]{3}\d{5}(NR|OS)[0-9A-Z]$/.test(value),
    t`This is the number of a non-resident, not a GSTIN for purchases. Leave the field empty: the invoice is issued without it.`,
  ],
  [(value) => value.length === 15, t`A GSTIN has 15 characters`],
  [(value) => SHAPE.test(value), t`This is not a valid GSTIN: please check it against your registration certificate`],
  [isGstin, t`A character of this GSTIN is wrong: please check it against your registration certificate`],
];
