import { indianDay } from '@/lib/format';
import { gst_rates as rates } from '../../../pkg/plan/catalogue.json';

/** The rate of tax in percent on a day in India, of rates with the days from which they are in force, the oldest first. */
export function percentOn(rates: { from: string; rate_bps: number }[], now: Date): number {
  const today = indianDay(now);
  const inForce = rates.filter((rate) => rate.from <= today);
  return (inForce.at(-1) ?? rates[0]!).rate_bps / 100;
}

/** The tax that comes on top of every price today, in percent. */
export const gstPercent = percentOn(rates, new Date());
