import { t } from '@lingui/core/macro';
/**
 * Every figure that the site claims, in one place. Change a figure here and it changes on every page.
 * A claim that stops being true is taken out here first.
 */
export interface Claim {
  figure: string;
  label: string;
  /** Printed beside the figure. */
  condition?: string;
}

export const claims = {
  workingCapital: {
    figure: '90%',
    label: t`less working capital`,
    condition: t`up to; partners pay for their own outlets`,
  },
  marketplace: {
    figure: t`20 crore+`,
    label: t`products and services for reward points`,
    condition: t`depending on plan`,
  },
  collaborations: { figure: '300+', label: t`business collaborations`, condition: t`by our own count` },
  campaign: {
    figure: '100K+',
    label: t`people reached by your free launch campaign`,
    condition: t`with Pinnacle and Elite, once your store is set up`,
  },
  franchises: { figure: '108', label: t`franchises on one plan`, condition: t`and 10 more with each extension` },
} satisfies Record<string, Claim>;

/** The figures of "What is Franchise 360". */
export const headlineClaims: Claim[] = [claims.workingCapital, claims.marketplace, claims.collaborations];
