import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import { ApiError } from '@/lib/api/errors';
import { planSlug } from '@/lib/plan-choice';

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id of a plan that an address names by its name: finished pages do not know the ids. */
async function idOf(name: string, signal: AbortSignal): Promise<string> {
  const { subscription_plan: plans } = await data(api.GET('/subscription-plan/list', { signal }));
  return plans.find(({ plan_name: plan }) => planSlug(plan) === name)?.id ?? name;
}

async function planDetails(idOrName: string, signal: AbortSignal) {
  const id = ID.test(idOrName) ? idOrName : await idOf(idOrName, signal);
  const [plan] = await data(api.GET('/subscription-plan/details/{id}', { params: { path: { id } }, signal }));
  if (!plan) throw new ApiError({ status: 404, message: t`This plan is not on offer.` });
  return plan;
}

/** `GET /subscription-plan/details/{id}`: a plan with its services and their add-ons, by its id or its name. */
export const planDetailsQuery = (idOrName: string) =>
  queryOptions({
    queryKey: ['plan', idOrName],
    queryFn: ({ signal }) => planDetails(idOrName, signal),
    meta: { toast: 'refresh', public: true },
  });
