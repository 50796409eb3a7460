import { ApiError } from '@/lib/api/errors';
import type { CatalogueChange } from '../api/catalogue';

export const changeStates: Record<CatalogueChange['state'], string> = {
  draft: 'Draft',
  proposed: 'Proposed, waiting for a second admin',
  approved: 'Approved, waiting for its time',
  applied: 'Applied',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
  failed: 'Could not be applied',
};

export const percent = (bps: number) => `${bps / 100}%`;

/** The instant at which a day and a time of day in India begin. */
export const instantOf = (day: string, time: string) => new Date(`${day}T${time || '00:00'}:00+05:30`).toISOString();

/** Converts the chosen day and time to an instant; throws a form error if the day is empty. */
export function chosen(day: string, time: string): string {
  if (day) return instantOf(day, time);
  const message = 'Choose a day.';
  throw new ApiError({ status: 422, code: 'validation_failed', message, fields: { day: [message] } });
}

/** Tomorrow's date in India. */
export const tomorrow = (now = Date.now()) =>
  new Date(now + 24 * 3_600_000 + 5.5 * 3_600_000).toISOString().slice(0, 10);

/** The day and time of day in India of an instant, for date and time fields. */
export function fieldsOf(instant: string): [day: string, time: string] {
  const india = new Date(Date.parse(instant) + 5.5 * 3_600_000).toISOString();
  return [india.slice(0, 10), india.slice(11, 16)];
}

/** What an amount looks like in a field that is typed in: rupees without a sign or commas. */
export const typed = (paise: number) =>
  paise % 100 === 0 ? String(paise / 100) : `${Math.floor(paise / 100)}.${String(paise % 100).padStart(2, '0')}`;
