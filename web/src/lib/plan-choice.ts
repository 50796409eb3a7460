import { t } from '@lingui/core/macro';
import type { components } from './api/schema.gen';

export type PlanType = components['schemas']['PlanType'];

/** The billing period as used in URLs. */
export type Period = 'monthly' | 'annual';

/** What the user chose to buy, contained entirely in the URL of the plan's screen. */
export interface PlanChoice {
  planId: string;
  planName: string;
  planType: PlanType;
  serviceId?: string;
  addOnIds?: readonly string[];
}

/** A saved choice as it is offered again later: its link and its description. */
export interface KeptChoice {
  path: string;
  label: string;
}

export const SERVICE_PARAM = 'service';
export const ADD_ONS_PARAM = 'add_ons';
/** With this parameter the screen opens the payment details automatically. */
export const REVIEW_PARAM = 'review';

const KEY = 'franchise360-plan-choice';

export function periodOf(planType: PlanType): Period {
  return planType === 'yearly' ? 'annual' : 'monthly';
}

/** The billing period in words. */
export const periodWord = (planType: PlanType) => (planType === 'yearly' ? t`yearly` : t`monthly`);

/** "annual", in any case, means yearly; everything else means monthly. */
export function planTypeOf(period: string | undefined): PlanType {
  return /^(annual|annually|yearly)$/i.test(period ?? '') ? 'yearly' : 'monthly';
}

/** A plan's name in the form of a URL segment. */
export const planSlug = (name: string): string => encodeURIComponent(name.trim().toLowerCase().replace(/\s+/g, '-'));

/** The URL of a plan's screen with a choice. */
export function planPath({ planId, planName, planType, serviceId, addOnIds = [] }: PlanChoice): string {
  const query = new URLSearchParams();
  if (serviceId) query.set(SERVICE_PARAM, serviceId);
  if (addOnIds.length > 0) query.set(ADD_ONS_PARAM, addOnIds.join(','));
  const suffix = query.size > 0 ? `?${query.toString()}` : '';
  return `/plan/${planSlug(planName)}/${periodOf(planType)}/${planId}${suffix}`;
}

/** The URL at which a choice is bought, from the URL of the plan's screen with that choice. */
export function doorPath(planAddress: string): string {
  const [path = '', query] = planAddress.split('?');
  const search = new URLSearchParams(query);
  search.delete(REVIEW_PARAM);
  return `${path.replace(/^\/plan\//, '/buy/')}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/** Saves the choice for this tab, so that other screens can offer to continue with it. */
export function keepChoice(choice: KeptChoice): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(choice));
  } catch {
    // The choice then exists only in its URL.
  }
}

export function forgetChoice(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was saved.
  }
}

/** The saved choice; null if it is missing or was not saved by this application. */
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
