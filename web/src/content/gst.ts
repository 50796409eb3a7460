import { dayInIndia } from '@/lib/today';
import { gst_rates as rates } from '../../../pkg/plan/catalogue.json';

/** The rate of tax in percent on a day in India, "2026-11-28", of rates with their first days, the oldest first. */
export function percentOn(rates: { from: string; rate_bps: number }[], day: string): number {
  const inForce = rates.filter((rate) => rate.from <= day);
  return (inForce.at(-1) ?? rates[0]!).rate_bps / 100;
}

/** The tax that comes on top of every price today, in percent. */
export const gstPercent = percentOn(rates, dayInIndia(new Date()));

/** Whether a page that was built on that day names the rate of today. */
export const namesTodaysRate = (day: string): boolean => percentOn(rates, day) === gstPercent;
