import { api, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `POST /subscription/automatic-renewal`: a gateway session that pays the renewal and authorises those that follow. */
export function beginAutomaticRenewal(body: components['schemas']['AutomaticRenewalRequest']) {
  return envelope(api.POST('/subscription/automatic-renewal', { body }));
}
