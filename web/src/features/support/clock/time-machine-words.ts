import type { TimeMachineEntry, TimeMachineQuestion } from '../api/time-machine';

export const kindNames: Record<TimeMachineEntry['kind'], string> = {
  state: 'States of the plan',
  message: 'Messages',
  order: 'Orders',
  payment: 'Payments',
  debit: 'Debits by mandate',
  refund: 'Refunds',
  document: 'Documents',
  prices: 'Prices',
};

export const paysNames: Record<TimeMachineQuestion['pays'], string> = {
  on_time: 'Pays on time',
  late: 'Pays late, in grace',
  never: 'Never pays',
};

export const channelNames: Record<TimeMachineEntry['channel'], string> = {
  '': '',
  sms: 'SMS',
  email: 'E-mail',
  whatsapp: 'WhatsApp',
};

const monthOf = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata', year: 'numeric', month: '2-digit' });
const monthName = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', year: 'numeric', month: 'long' });

/** The month in India in which an instant falls, such as 2027-04. */
const monthAt = (instant: string) => monthOf.format(new Date(instant)).slice(0, 7);

export const nameOfMonth = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`));

/** Every month from one instant to another, in India, the first and the last included. */
export function monthsBetween(from: string, until: string): string[] {
  const last = monthAt(until);
  const all = [monthAt(from)];
  while (all[all.length - 1]! < last) {
    const [year, month] = all[all.length - 1]!.split('-').map(Number) as [number, number];
    all.push(month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`);
  }
  return all;
}

export interface Month {
  month: string;
  entries: TimeMachineEntry[];
  /** Invoices less credit notes. `state` is the plan's state at the end of the month; empty until its first change. */
  billed: number;
  state: string;
}

/** The entries of each month. */
export function byMonth(from: string, until: string, entries: TimeMachineEntry[]): Month[] {
  let state = '';
  return monthsBetween(from, until).map((month) => {
    const own = entries.filter((one) => monthAt(one.at) === month);
    state = own.filter((one) => one.kind === 'state').at(-1)?.status ?? state;
    const billed = own
      .filter((one) => one.kind === 'document')
      .reduce((sum, { status, amount_paise }) => {
        if (status === 'invoice') return sum + (amount_paise ?? 0);
        return status === 'credit_note' ? sum - (amount_paise ?? 0) : sum;
      }, 0);
    return { month, entries: own, billed, state };
  });
}

/** Months with scheduled events, one per row; consecutive months without events are merged into one span. */
export function withSpans(months: Month[], happens: (month: Month) => boolean): Month[][] {
  const rows: Month[][] = [];
  for (const month of months) {
    const last = rows.at(-1);
    if (last && !happens(month) && !happens(last[0]!)) last.push(month);
    else rows.push([month]);
  }
  return rows;
}
