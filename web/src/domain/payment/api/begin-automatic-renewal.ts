import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /subscription/automatic-renewal`: a gateway session that pays this renewal and authorises later ones. */
export function beginAutomaticRenewal(body: components['schemas']['AutomaticRenewalRequest']) {
  return envelope(api.POST('/subscription/automatic-renewal', { body }));
}
