import type { components } from './api/schema.gen';

export type PlanType = components['schemas']['PlanType'];

/** The period as addresses name it. */
export type Period = 'monthly' | 'annual';

/** What somebody chose to buy, all of it in the address of the plan's screen. */
export interface PlanChoice {
  planId: string;
  planName: string;
  planType: PlanType;
  serviceId?: string;
  addOnIds?: readonly string[];
}

/** The choice as it is offered again later: where to go on, and in which words. */
export interface KeptChoice {
  path: string;
  label: string;
}

export const SERVICE_PARAM = 'service';
export const ADD_ONS_PARAM = 'add_ons';
/** With this parameter the screen opens the payment details by itself. */
export const REVIEW_PARAM = 'review';

const KEY = 'franchise360-plan-choice';

export function periodOf(planType: PlanType): Period {
  return planType === 'yearly' ? 'annual' : 'monthly';
}

/** "annual", in any case, is sent as yearly; everything else is monthly. */
export function planTypeOf(period: string | undefined): PlanType {
  return /^(annual|annually|yearly)$/i.test(period ?? '') ? 'yearly' : 'monthly';
}

/** The address of a plan's screen with the choice made on it. */
export function planPath({ planId, planName, planType, serviceId, addOnIds = [] }: PlanChoice): string {
  const name = encodeURIComponent(planName.trim().toLowerCase().replace(/\s+/g, '-'));
  const query = new URLSearchParams();
  if (serviceId) query.set(SERVICE_PARAM, serviceId);
  if (addOnIds.length > 0) query.set(ADD_ONS_PARAM, addOnIds.join(','));
  const suffix = query.size > 0 ? `?${query.toString()}` : '';
  return `/plan/${name}/${periodOf(planType)}/${planId}${suffix}`;
}

/** Keeps the choice for this tab, so that other screens can offer to go on with it. */
export function keepChoice(choice: KeptChoice): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // The choice then lives in its address only.
  }
}

export function forgetChoice(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** The kept choice; null where there is none or it is not of our making. */
export function readChoice(): KeptChoice | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('path' in stored) || !('label' in stored)) return null;
    const { path, label } = stored;
    return typeof path === 'string' && path.startsWith('/plan/') && typeof label === 'string' ? { path, label } : null;
  } catch {
    return null;
  }
}
