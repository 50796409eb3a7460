import { t } from '@lingui/core/macro';
import type { Tone } from '@/ui/notice';
import type { components } from '@/lib/api/schema.gen';

type Schemas = components['schemas'];

export type Subscription = Schemas['Subscription'];
export type OwnedAddOn = Schemas['OwnedAddOn'];
export type Tenant = Omit<Schemas['Tenant'], 'password'>;
export type Connected = Schemas['Dashboard']['connected_dashboard'];

interface StateText {
  tone: Tone;
  label: string;
}

/** A subscription's state in words. */
export const stateText: Record<Schemas['SubscriptionState'], StateText> = {
  pending: { tone: 'info', label: t`Waiting for payment` },
  trialing: { tone: 'info', label: t`Free trial` },
  active: { tone: 'success', label: t`Active` },
  grace: { tone: 'warning', label: t`Payment overdue` },
  expired: { tone: 'danger', label: t`Expired` },
  lapsed: { tone: 'danger', label: t`Ended` },
};

/** A custom domain's state in words. */
export const domainText: Record<Schemas['DomainState'], StateText> = {
  none: { tone: 'info', label: t`No domain of your own yet` },
  pending: { tone: 'warning', label: t`Waiting for your DNS records` },
  active: { tone: 'success', label: t`Linked` },
  broken: { tone: 'danger', label: t`No longer linked: check your DNS records` },
};

/** The address that the store shows: its own domain once that is linked, otherwise the default one. */
export const shownDomain = (tenant: Pick<Tenant, 'domain' | 'custom_domain' | 'custom_domain_state'>): string =>
  tenant.custom_domain_state === 'active' && tenant.custom_domain ? tenant.custom_domain : tenant.domain;

/** A URL that can be opened: adds https:// if the scheme is missing. */
function withScheme(url: string): string {
  return /^https?:\/\//i.test(url) ? url : `https://${url}`;
}

/** The target of "Access Franchise Dashboard": the operator's connected system, or the store's own dashboard without one. */
export function accessUrl(tenant: Tenant, connected: Connected | undefined): string {
  return connected ? connected.url : withScheme(tenant.dashboard_url);
}
