import { t } from '@lingui/core/macro';
import * as z from 'zod/mini';
import pinRuns from '../../../../pkg/address/pin_states.json';
import { COMMAS, FULL_STOPS, line, pinDigits, SEMICOLONS } from '@/lib/typed';
import { characters, joinsLetters, printable, text } from '@/lib/validation';

// The server has the same rules, in pkg/address; the same samples test both.

export const FIELD_EMPTY = t`This field can not be empty.`;
const SHORT = t`Please use at least 2 characters`;

interface Written {
  min?: number;
  optional?: boolean;
}

/** The sets of characters that a line of an address and a name for the invoice consist of. */
const LINE = `\\p{L}\\p{M}\\p{Nd}\\u200c\\u200d /,.\\-':;${FULL_STOPS}${COMMAS}${SEMICOLONS}`;
const LEGAL_NAME = `${LINE}&()@+#`;

function written(label: string, max: number, characterSet: string, signs: string, { min = 2, optional }: Written = {}) {
  const allowed = new RegExp(`^[${characterSet}]+$`, 'u');
  return text(
    label,
    [
      [(value) => characters(value) >= min, SHORT],
      [(value) => allowed.test(value) && joinsLetters(value), t`Please use letters, digits, spaces and ${signs} only`],
      [(value) => characters(value) <= max, t`Please use at most ${max} characters`],
      printable,
    ],
    { empty: FIELD_EMPTY, optional, normalise: line },
  );
}

// The signs are those of the specification: "Sector 5 (West)" is written "Sector 5, West".
/** A line of an address: at most `max` characters, and by default at least two. */
export const addressLine = (label: string, max: number, more: Written = {}) =>
  written(label, max, LINE, "/ , . - ' : ;", more);

const nameForInvoice = (optional: boolean) =>
  written(t`Name for the invoice`, 100, LEGAL_NAME, "/ , . - ' : ; & ( ) @ + #", { optional });

/** The name on invoices. Optional here: the payment step requires it if the person has no name either. */
export const legalName = (optional = true) =>
  nameForInvoice(optional).check(
    z.refine((value) => !/^\S+@\S+\.\S+$/.test(value), t`Enter a name for the invoice, not an e-mail address`),
  );

export const pincode = () =>
  text(
    t`Pincode`,
    [
      [(value) => /^\d{6}$/.test(value), t`Please enter valid pincode`],
      [(value) => value.startsWith('0') === false, t`Invalid: a pincode does not start with 0`],
    ],
    { normalise: pinDigits },
  );

export const PIN_OF_ANOTHER_STATE = t`This pincode is in a different State from the one you chose`;

/** Whether a PIN may belong to the State with that GST code. A PIN that is not in the table fits every State. */
export function pinFits(pin: string, stateId: string): boolean {
  const area = pin.slice(0, 3);
  const run = pinRuns.find(({ from, to }) => from <= area && area <= to);
  return !run || run.states.includes(stateId);
}
