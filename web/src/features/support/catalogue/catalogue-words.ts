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

/** What is wrong with the day of an instant. */
export const needsDay = (day: string) => (day ? undefined : 'Choose a day.');

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
