import { t } from '@lingui/core/macro';
import { z } from 'zod/mini';
import { text } from '@/lib/validation';

const MAX = 40;
/** Labels of letters (of any script), digits and hyphens; at least two labels, the last not digits only. */
const DOMAIN = /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?\.)+[\p{L}\p{M}][\p{L}\p{N}\p{M}-]*$/u;

/** Reduces a pasted domain to its host: "https://Shop.Example.in/" → "shop.example.in". */
function hostOf(typed: string): string {
  return typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

/** The form of the store's own domain. */
export const domainSchema = z.object({
  custom_domain: text(
    t`Custom domain`,
    [
      [(value) => value.length <= MAX, t`Enter valid domain name of ${MAX} characters at most`],
      [(value) => DOMAIN.test(value), t`Enter valid domain name`],
    ],
    { empty: t`Required`, normalise: hostOf },
  ),
});
