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

/**
 * One line of typed text: composed (NFC), with single spaces, and with the quotes, dashes and full-width characters of phone
 * keyboards as plain ASCII. Double typographic quotes become apostrophes, because an address may hold those only.
 */
export const line = (typed: string): string =>
  typed
    .normalize('NFC')
    .replace(/[‘’‚‛“”„‟′″ʼʹˈ]/g, "'")
    .replace(/[\p{Pd}−]/gu, '-')
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\s\u0085]+/g, ' ')
    .trim();

const MOBILE = /^(?:0{0,2}91){0,2}0?(\d{10})$/;
const MOBILE_LABEL = /^(?:tel:|https?:\/\/wa\.me\/|wa\.me\/|(?:tel|mob|mobile|phone|ph|whatsapp)(?: ?no)?\.?[ :]+)/i;

/** A mobile number in any usual notation as its ten digits: "+91 (0) 98765-43210" becomes "9876543210". */
export function mobileDigits(typed: string): string {
  const plain = line(visible(asciiDigits(typed)))
    .replace(MOBILE_LABEL, '')
    .replace(/[ \-().+/]/g, '');
  return MOBILE.exec(plain)?.[1] ?? plain;
}

/** The numbers of exactly six digits; if there are none, those written as 123 456. */
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
 * The six digits of a code, also out of a pasted SMS: those after "@host #" (WICG, "Origin-bound one-time codes delivered via SMS"),
 * otherwise the only group of six digits. Any other text comes back without spaces. A field joins the lines of what is pasted.
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

/** A PIN code in ASCII digits without its separators. */
export const pinDigits = (typed: string): string => line(visible(asciiDigits(typed))).replace(/[ -]/g, '');

/** A GSTIN in capitals, without its label, spaces and hyphens: "GSTIN: 27-AAPFU0939F-1zv" becomes "27AAPFU0939F1ZV". */
export function gstinOf(typed: string): string {
  const text = line(visible(asciiDigits(typed))).toUpperCase();
  const found = [...text.matchAll(/(?:^|[^0-9A-Z])(\d{2}(?:[ -]*[0-9A-Z]){13})(?=$|[^0-9A-Z])/g)];
  return (found.length === 1 && found[0]?.[1] ? found[0][1] : text).replace(/[ -]/g, '');
}
