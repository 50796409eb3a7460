import type { Tone } from '@/components/notice';
import type { components } from '@/lib/api/schema.gen';

type Schemas = components['schemas'];

export type Subscription = Schemas['Subscription'];
export type OwnedAddOn = Schemas['OwnedAddOn'];
export type Tenant = Omit<Schemas['Tenant'], 'password'>;

interface StateText {
  tone: Tone;
  label: string;
}

/** A subscription's state in words. */
export const stateText: Record<Schemas['SubscriptionState'], StateText> = {
  pending: { tone: 'info', label: 'Waiting for payment' },
  trialing: { tone: 'info', label: 'Free trial' },
  active: { tone: 'success', label: 'Active' },
  grace: { tone: 'warning', label: 'Payment overdue' },
  expired: { tone: 'danger', label: 'Expired' },
  lapsed: { tone: 'danger', label: 'Ended' },
};

/** A custom domain's state in words. */
export const domainText: Record<Schemas['DomainState'], StateText> = {
  none: { tone: 'info', label: 'No domain of your own yet' },
  pending: { tone: 'warning', label: 'Waiting for your DNS records' },
  active: { tone: 'success', label: 'Linked' },
  broken: { tone: 'danger', label: 'No longer linked: check your DNS records' },
};

/** A URL that can be opened: adds https:// if the scheme is missing. */
export function withScheme(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}

/** Whether there is a plan or trial that has not ended. */
export function runs(subscription: Subscription | null): boolean {
  return subscription !== null && subscription.state !== 'expired' && subscription.state !== 'lapsed';
}
