import { t } from '@lingui/core/macro';
/**
 * Every figure that the site claims, in one place. Change a figure here and it changes on every page.
 * A claim that stops being true is taken out here first.
 */
export interface Claim {
  figure: string;
  label: string;
  /** Printed small beside the figure, where the claim has a condition. */
  condition?: string;
}

export const claims = {
  workingCapital: {
    figure: '90%',
    label: t`less working capital`,
    condition: t`up to; franchise partners bring the capital of their own outlets`,
  },
  marketplace: {
    figure: t`20 crore+`,
    label: t`products and services to redeem reward points for`,
    condition: t`depending on plan`,
  },
  collaborations: { figure: '300+', label: t`business collaborations` },
  campaign: {
    figure: '100K+',
    label: t`people reached by your free launch campaign`,
    condition: t`with Pinnacle and Elite, once your store is set up`,
  },
  franchises: { figure: '108', label: t`franchises on one plan`, condition: t`and 10 more with each extension` },
} satisfies Record<string, Claim>;

/** The four figures under "What is Franchise 360". */
export const headlineClaims: Claim[] = [
  claims.workingCapital,
  claims.marketplace,
  claims.collaborations,
  claims.franchises,
];
