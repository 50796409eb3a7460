import { t } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { asciiDigits, codeDigits, FULL_STOPS, line, mobileDigits, withoutMarks } from './typed';

// The content security policy forbids the code generation that zod would otherwise try.
z.config({ jitless: true });

/** A rule for a text field: the condition, and the message if it is not met. */
type Check = readonly [holds: (value: string) => boolean, message: string];

const trim = (value: string) => value.trim();

interface TextRule {
  /** The message for an empty field, by default "{label} can not be empty." */
  empty?: string;
  optional?: boolean;
  normalise?: (value: string) => string;
}

/** The schema of a text field: drops pasted marks, normalises, refuses an empty value, then reports the first failed check. */
export function text(
  label: string,
  checks: readonly Check[] = [],
  { empty, optional, normalise = trim }: TextRule = {},
) {
  const fault = (value: string): string | undefined => {
    if (!value) return optional ? undefined : (empty ?? t`${label} can not be empty.`);
    return checks.find(([holds]) => !holds(value))?.[1];
  };
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((value: string) => normalise(withoutMarks(value))),
    ),
    z.string().check((context) => {
      const message = fault(context.value);
      if (message) context.issues.push({ code: 'custom', message, input: context.value });
    }),
  );
}

/** A schema from a function that says what is wrong with which field. */
export const judged = <Values extends object>(
  problemsOf: (values: Values) => Partial<Record<keyof Values, string | undefined>>,
) =>
  z.custom<Values>().check((context) => {
    for (const [name, message] of Object.entries(problemsOf(context.value)))
      if (message)
        context.issues.push({ code: 'custom', message: String(message), path: [name], input: context.value });
  });

const mobileText = (label: string, optional: boolean) =>
  text(
    label,
    [
      [(value) => value.length === 10, t`Please enter valid number`],
      [(value) => /^[6-9]\d{9}$/.test(value), t`Invalid: mobile numbers start with 6, 7, 8 or 9`],
    ],
    { optional, normalise: mobileDigits },
  );

export const mobile = (label = t`Mobile number`) => mobileText(label, false);

export const optionalMobile = () => mobileText(t`Mobile number`, true);

export const characters = (value: string) => [...value].length;
const long = (value: string) => characters(value) >= 15;

/** The requirements for a password, for the live checklist and the error message; a long one needs no character classes. */
export const passwordRules: readonly { label: string; met: (value: string) => boolean }[] = [
  { label: t`8 characters or more`, met: (value) => characters(value) >= 8 },
  { label: t`An upper-case letter`, met: (value) => long(value) || /\p{Lu}/u.test(value) },
  { label: t`A lower-case letter`, met: (value) => long(value) || /\p{Ll}/u.test(value) },
  { label: t`A digit`, met: (value) => long(value) || /\p{Nd}/u.test(value) },
  { label: t`A special character`, met: (value) => long(value) || /[^\p{Lu}\p{Ll}\p{Nd}\s]/u.test(value) },
  { label: t`No spaces`, met: (value) => long(value) || (value.length > 0 && !/\s/.test(value)) },
];

const PASSWORD_CLASSES = t`Password must contain at least one upper-case letter, one lower-case letter, one digit and one special character such as ! @ # $ %, and no spaces; or 15 characters of any kind`;

export const PASSWORD_OWN = t`Password must not contain your name, mobile number or e-mail`;

/** Whether the password contains one of the person's own details; of an e-mail address, the part before the @. */
export function holdsOwn(value: string, own: readonly string[]): boolean {
  const details = own.map((detail) => detail.trim().toLowerCase().replace(/@.*$/s, ''));
  return details.some((detail) => characters(detail) >= 3 && value.toLowerCase().includes(detail));
}

const bytes = (value: string) => new TextEncoder().encode(value).length;

export const password = (label = t`Password`) =>
  text(
    label,
    [
      [(value) => characters(value) >= 8, t`Password needs at least 8 characters`],
      [(value) => bytes(value) <= 128, t`Password is too long`],
      [(value) => passwordRules.every((rule) => rule.met(value)), PASSWORD_CLASSES],
    ],
    { normalise: (value) => value },
  );

/** A password that is only compared with the stored one, as on the login screen. */
export const currentPassword = () => text(t`Password`, [], { normalise: (value) => value });

export const PASSWORDS_DIFFER = t`Password and confirm password should be the same`;

/** The server's rule (pkg/account): a dot-atom of at most 64 ASCII characters at a host name with a top-level domain. */
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i;

export const isEmail = (value: string) => value.length <= 254 && value.indexOf('@') <= 64 && EMAIL.test(value);

export const email = () => text(t`Email`, [[isEmail, t`Please enter your valid email id`]]);

/** Whether each joiner of Indian scripts (U+200C, U+200D) follows a letter or mark that it can join. */
export const joinsLetters = (value: string) => !/(?:^|[^\p{L}\p{M}]|\p{Script=Latin})[\u200c\u200d]/u.test(value);

/** The scripts that the fonts of the documents have. The server knows their characters one by one, in pkg/platform/text. */
const PRINTABLE =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Ol_Chiki}\p{Script=Meetei_Mayek}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** Whether invoices can print the text. */
export const printable: Check = [
  (value) => PRINTABLE.test(value),
  t`Our invoices cannot print one of these characters. Please write this in another script`,
];

const NAME = new RegExp(`^\\p{L}[\\p{L}\\p{M}\\u200c\\u200d .'${FULL_STOPS}-]*$`, 'u');

const namePart = (label: string, least: number, optional: boolean) =>
  text(
    label,
    [
      [(value) => characters(value) >= least, t`Please use at least 2 characters`],
      [(value) => NAME.test(value) && joinsLetters(value), t`Please use letters, spaces and . ' - only`],
      [(value) => characters(value) < 40, t`${label} should be under 40 characters`],
      printable,
    ],
    { normalise: line, optional },
  );

/** A whole name. */
export const personName = (label = t`Name`) => namePart(label, 2, false);

/** The first part of a name, which may be an initial if there is a last name. The documents call either part the name. */
export const firstName = () => namePart(t`Name`, 1, false);

/** The last part of a name: empty for people with a single name, or an initial, as in the South. */
export const lastName = () => namePart(t`Name`, 1, true);

/** Refuses a single letter as the whole name. */
export const WHOLE_NAME = t`Please use at least 2 characters`;

export const otp = () =>
  text(t`Code`, [[(value) => /^\d{6}$/.test(value), t`Please enter a valid code`]], { normalise: codeDigits });

/** Six digits of an authenticator app, or one of its recovery codes. */
export const authenticatorCode = () =>
  text(t`Code`, [[(value) => /^(\d{6}|[A-Z2-7]{4}(-[A-Z2-7]{4}){1,5})$/.test(value), t`Please enter a valid code`]], {
    normalise: (value) => {
      const code = codeDigits(value);
      return /^\d{6}$/.test(code) ? code : value.replace(/\s+/g, '').toUpperCase();
    },
  });

export const terms = () => z.boolean().check(z.refine((agreed) => agreed, t`Please agree to terms & conditions`));

export const choice = (message = t`Kindly choose one`) => z.string().check(z.minLength(1, message));

export const storeName = () =>
  text(
    t`Store Name`,
    [
      [(value) => value.length >= 2, t`Please use at least 2 characters`],
      [(value) => /^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(value), t`Please input alphanumeric characters only`],
      [(value) => value.length <= 50, t`Store Name should be 50 characters at most`],
    ],
    { normalise: (value) => line(asciiDigits(value)) },
  );
