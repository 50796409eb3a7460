const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** India Standard Time is five and a half hours ahead of UTC the whole year. */
const IST_OFFSET_MS = 330 * 60_000;

/** A calendar date of the API, "2027-11-21", as people read it: "21 Nov 2027"; "-" stays what it is. */
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

/** The date in India of an instant of the API, "2026-11-21T05:30:00Z": "21 Nov 2026". */
export function formatDay(instant: string): string {
  const time = new Date(Date.parse(instant) + IST_OFFSET_MS);
  return Number.isNaN(time.valueOf()) ? instant : formatDate(time.toISOString().slice(0, 10));
}

/** Date and time in India of an instant of the API: "21 Nov 2026, 11:00 IST". */
export function formatInstant(instant: string): string {
  const time = new Date(Date.parse(instant) + IST_OFFSET_MS);
  return Number.isNaN(time.valueOf())
    ? instant
    : `${formatDate(time.toISOString().slice(0, 10))}, ${time.toISOString().slice(11, 16)} IST`;
}

/** A mobile number as it may be shown to somebody looking on: ••••••3210. */
export function maskMobile(mobile: string): string {
  return `••••••${mobile.slice(-4)}`;
}

/** A mobile number as people read it: "+91 98765 43210". */
export function formatMobile(mobile: string): string {
  return `+91 ${mobile.slice(0, 5)} ${mobile.slice(5)}`;
}
