import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';

async function planDetails(id: string, signal: AbortSignal) {
  const [plan] = await data(api.GET('/subscription-plan/details/{id}', { params: { path: { id } }, signal }));
  if (!plan) throw new ApiError({ status: 404, message: t`This plan is not on offer.` });
  return plan;
}

/** `GET /subscription-plan/details/{id}`: a plan with its services and their add-ons. */
export const planDetailsQuery = (id: string) =>
  queryOptions({ queryKey: ['plan', id], queryFn: ({ signal }) => planDetails(id, signal), meta: { public: true } });
