// What people type and paste, in the one form that is sent. The server has the same functions in
// pkg/platform/text/typed.go and pkg/platform/gstin; pkg/platform/text/testdata/typed.json tests both.

const DIGIT = /\p{Nd}/u;

/** Unicode codes decimal digits in runs of ten, zero first, so the distance to the start of the run gives the value. */
function digitValue(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  let first = code;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/** Replaces the decimal digits of every script by ASCII digits: "४११००१" becomes "411001". */
export const asciiDigits = (typed: string): string =>
  typed.replace(/\p{Nd}/gu, (character) => (character <= '9' ? character : String(digitValue(character))));

/** Drops direction marks and other format characters, which WhatsApp and address books copy with a number. */
const visible = (typed: string): string => typed.replace(/\p{Cf}/gu, '');

/** Characters of Indian scripts used as a full stop, comma or semicolon; for regular expressions. */
export const FULL_STOPS = '॰૰৽੶।॥᱾᱿꯫۔';
export const COMMAS = '،';
export const SEMICOLONS = '؛';

const PASTED_MARKS = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]/g;

/** Drops the invisible marks that come with pasted text, and leaves the joiners of Indian scripts and emoji. */
export const withoutMarks = (typed: string): string => typed.replace(PASTED_MARKS, '');

/**
 * One line of typed text: composed (NFC), without the marks of pasted text, with single spaces, and with the quotes, dashes and
 * full-width characters of phone keyboards as plain ASCII. Double typographic quotes become apostrophes, because an address may
 * hold those only; so do the accents that people type for apostrophes.
 */
export const line = (typed: string): string =>
  withoutMarks(typed)
    .normalize('NFC')
    .replace(/[`´ˊˋ｀‘’‚‛“”„‟′″ʼʹˈ]/g, "'")
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\s\u0085]+/g, ' ')
    .trim();

const MOBILE = /^(?:0{0,2}91){0,2}0?(\d{10})$/;
const MOBILE_LINK =
  /^(?:https?:\/\/)?(?:www\.)?(?:wa\.me\/|(?:api\.whatsapp\.com\/|whatsapp:\/\/)send\/?\?phone=)\+?(\d+)(?:[/?&#].*)?$/i;

const BESIDE_NUMBER = ` .,:;()/'&=\\-${FULL_STOPS}${COMMAS}${SEMICOLONS}`;
const WORDS_BESIDE_NUMBER = `\\p{L}\\p{M}${BESIDE_NUMBER}`;
/** The only number of a pasted text, such as "मो. ९८७६५ ४३२१०" or "+91 98765 43210 (Asha)". No letter touches it. */
const AMONG_WORDS = new RegExp(
  `^(?:[${WORDS_BESIDE_NUMBER}]*[${BESIDE_NUMBER}])?(\\+?\\d[\\d ().+/\\-]*)(?:[${BESIDE_NUMBER}][${WORDS_BESIDE_NUMBER}]*)?$`,
  'u',
);
const PIN_AMONG_WORDS = new RegExp(`^[${WORDS_BESIDE_NUMBER}]*(\\d{3}[ \\-]*\\d{3})[${WORDS_BESIDE_NUMBER}]*$`, 'u');

/** A mobile number in any usual notation as its ten digits: "+91 (0) 98765-43210" becomes "9876543210". */
export function mobileDigits(typed: string): string {
  const text = line(visible(asciiDigits(typed)));
  const [, number = text] = MOBILE_LINK.exec(text) ?? AMONG_WORDS.exec(text) ?? [];
  const plain = number.replace(/[ \-().+/]/g, '');
  return MOBILE.exec(plain)?.[1] ?? plain;
}

/** All six-digit numbers; if the text has no such number, those written as 123 456. */
function groupsOfSix(text: string): string[] {
  const runs = (text.match(/\d+/g) ?? []).filter((run) => run.length === 6);
  if (runs.length > 0) return runs;
  return [...text.matchAll(/\d{3}[ -]\d{3}/g)]
    .filter(
      ({ 0: pair, index }) =>
        !/\d[ -]*$/.test(text.slice(0, index)) && !/^[ -]*\d/.test(text.slice(index + pair.length)),
    )
    .map(([pair]) => pair.replace(/[ -]/, ''));
}

/**
 * Extracts the six digits of a code, also from a pasted SMS: the digits after "@host #" (WICG, "Origin-bound one-time codes delivered via
 * SMS"), otherwise the only group of six digits. Returns any other text without spaces. A field joins pasted lines.
 */
export function codeDigits(typed: string): string {
  const text = visible(asciiDigits(typed));
  const bound = [...text.matchAll(/@[^\s@]+ #(\d{6})(?!\d)/g)].at(-1);
  if (bound?.[1]) return bound[1];
  const flat = line(text);
  const plain = flat.replace(/[ -]/g, '');
  if (/^\d*$/.test(plain)) return plain;
  const [code, ...others] = new Set(groupsOfSix(flat));
  return code && others.length === 0 ? code : plain;
}

/** A PIN code in ASCII digits without its separators and label: "PIN: 560 001" becomes "560001". */
export function pinDigits(typed: string): string {
  const text = line(visible(asciiDigits(typed)));
  return (PIN_AMONG_WORDS.exec(text)?.[1] ?? text).replace(/[ -]/g, '');
}

/** A GSTIN in capitals, without its label, spaces and hyphens: "GSTIN: 27-AAPFU0939F-1zv" becomes "27AAPFU0939F1ZV". */
export function gstinOf(typed: string): string {
  const text = line(visible(asciiDigits(typed))).toUpperCase();
  const found = [...text.matchAll(/(?:^|[^0-9A-Z])(\d{2}(?:[ -]*[0-9A-Z]){13})(?=$|[^0-9A-Z])/g)];
  return (found.length === 1 && found[0]?.[1] ? found[0][1] : text).replace(/[ -]/g, '');
}
