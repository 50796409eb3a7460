import { queryOptions, useMutation } from '@tanstack/react-query';
import { nextBillQuery } from '@/domain/payment/api/next-bill';
import { api, data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type AutomaticRenewal = components['schemas']['AutomaticRenewal'];

/** The poll interval of undecided states: short after a request or a stop, long while the bank takes days over a request or a debit. */
function waitFor(renewal: AutomaticRenewal | undefined): number | false {
  if (!renewal) return false;
  const { mandate, replacement, debits } = renewal;
  const request = replacement ?? mandate;
  if (request?.state === 'requested') return request.authorised ? 60_000 : 5000;
  if (mandate?.stopping) return 5000;
  return debits.some(({ state }) => state === 'asked') && 60_000;
}

/** `GET /subscription/automatic-renewal`: the state of automatic renewal, and the methods offered. */
export const automaticRenewalQuery = queryOptions({
  queryKey: ['automatic-renewal'],
  queryFn: ({ signal }) => data(api.GET('/subscription/automatic-renewal', { signal })),
  refetchInterval: ({ state }) => waitFor(state.data),
});

export type MandateChange = 'pause' | 'resume' | 'stop' | 'skip' | 'unskip';

function change(id: string, what: MandateChange) {
  const params = { params: { path: { id } } };
  switch (what) {
    case 'pause':
      return envelope(api.POST('/subscription/automatic-renewal/{id}/pause', params));
    case 'resume':
      return envelope(api.POST('/subscription/automatic-renewal/{id}/resume', params));
    case 'stop':
      return envelope(api.POST('/subscription/automatic-renewal/{id}/stop', params));
    case 'skip':
      return envelope(api.POST('/subscription/automatic-renewal/{id}/skip', params));
    case 'unskip':
      return envelope(api.POST('/subscription/automatic-renewal/{id}/unskip', params));
  }
}

/** Pauses, resumes or stops automatic renewal, or skips its next debit. */
export function useMandateChange(id: string) {
  return useMutation({
    mutationFn: (what: MandateChange) => change(id, what),
    meta: { invalidates: [automaticRenewalQuery.queryKey, nextBillQuery.queryKey] },
  });
}
