import { t } from '@lingui/core/macro';

/** Own month names: Intl's differ between browsers, and the markup comes from Node. */
const MONTHS = [t`Jan`, t`Feb`, t`Mar`, t`Apr`, t`May`, t`Jun`, t`Jul`, t`Aug`, t`Sep`, t`Oct`, t`Nov`, t`Dec`];
/** India Standard Time is five and a half hours ahead of UTC the whole year. */
const IST_OFFSET_MS = 330 * 60_000;

/** Formats a calendar date of the API, "2027-11-21", as "21 Nov 2027"; "-" is returned unchanged. */
export function formatDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  const name = MONTHS[(month ?? 0) - 1];
  return year && name && day ? `${day} ${name} ${year}` : date;
}

/** The last day of a term that renews on a date of the API: "2026-12-02" gives "1 Dec 2026". */
export function formatLastDay(renewOn: string): string {
  const day = Date.parse(`${renewOn}T00:00:00Z`) - 86_400_000;
  return Number.isNaN(day) ? renewOn : formatDate(new Date(day).toISOString().slice(0, 10));
}

/** The date in India at an instant of the API: "2026-11-21T05:30:00Z" gives "21 Nov 2026". */
export function formatDay(instant: string): string {
  const time = new Date(Date.parse(instant) + IST_OFFSET_MS);
  return Number.isNaN(time.valueOf()) ? instant : formatDate(time.toISOString().slice(0, 10));
}

/** The date and time in India at an instant of the API: "21 Nov 2026, 11:00 IST". */
export function formatInstant(instant: string): string {
  const time = new Date(Date.parse(instant) + IST_OFFSET_MS);
  return Number.isNaN(time.valueOf())
    ? instant
    : `${formatDate(time.toISOString().slice(0, 10))}, ${time.toISOString().slice(11, 16)} IST`;
}

/** A mobile number, masked for screens that others may see: ••••••3210. */
export function maskMobile(mobile: string): string {
  return `••••••${mobile.slice(-4)}`;
}

/** A formatted mobile number: "+91 98765 43210". */
export function formatMobile(mobile: string): string {
  return `+91 ${mobile.slice(0, 5)} ${mobile.slice(5)}`;
}
