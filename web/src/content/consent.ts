import { t } from '@lingui/core/macro';
/**
 * The texts beside the consent boxes, with their version. A change of the words needs a new version: it is stored
 * with every consent, so that it can be shown later what somebody agreed to (DPDP Act 2023, sections 5 and 6).
 */
export const consent = {
  version: '2026-11',
  newsletter: t`Yes, send me the newsletter, at most twice a month. I can leave it at any time by the link in each issue.`,
  contact: t`Use what I wrote here to answer me, and for nothing else.`,
} as const;
