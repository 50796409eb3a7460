import { queryOptions } from '@tanstack/react-query';
import { api, data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { post, postFor, readPage } from './call';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
export type StaffAct = Schemas['StaffAct'];
export type StaffActState = Schemas['StaffActState'];
export type StaffActKind = Schemas['StaffActKind'];
/** The content of an act, without the reason. */
export type ActContent = Schemas['StaffActPreviewRequest'];

export const actsQuery = (filter: { page: number; state?: StaffActState }) =>
  readPage('/api/support/acts', filter, { refetchInterval: 5000 });

/** Previews the act; recomputed each time the dialog opens. */
export const actPreviewQuery = (content: ActContent) =>
  queryOptions({
    queryKey: [...supportKey, 'act-preview', content],
    staleTime: 'static',
    queryFn: () => postFor('/api/support/acts/preview', content),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** A tier on sale, with its add-ons. */
export interface SoldTier {
  id: string;
  title: string;
  addOns: { id: string; name: string }[];
}

/** The names of the plans on sale. */
export const planNamesQuery = queryOptions({
  queryKey: [...supportKey, 'plan-names'],
  queryFn: async () =>
    (await data(api.GET('/subscription-plan/list'))).subscription_plan.map(({ plan_name: name }) => name),
  staleTime: Infinity,
});

/** Every tier on sale, from the public list of plans. */
export const soldPlansQuery = queryOptions({
  queryKey: [...supportKey, 'sold-plans'],
  queryFn: async (): Promise<SoldTier[]> => {
    const { subscription_plan: plans } = await data(api.GET('/subscription-plan/list'));
    const details = await Promise.all(
      plans.map(({ id }) => data(api.GET('/subscription-plan/details/{id}', { params: { path: { id } } }))),
    );
    return details.flat().flatMap(({ plan_name: plan, subscription_plan_services: tiers }) =>
      tiers.map(({ id, service_name: tier, subscription_plan_add_ons_services: addOns }) => ({
        id,
        title: `${plan} · ${tier}`,
        addOns: addOns.map((one) => ({ id: one.id, name: one.add_ons_service_name })),
      })),
    );
  },
});

export const askAct = (content: ActContent, reason: string, key: string) =>
  post('/api/support/acts', { ...content, reason }, undefined, key);

export type Decision = 'approve' | 'decline' | 'withdraw' | 'stop';
export const decideAct = (id: string, what: Decision, reason: string) =>
  post(`/api/support/acts/{id}/${what}`, { reason }, { id });

/**
 * Returns a download link that is valid for five minutes. Fails with a message while the PDF is not ready or the portal refuses the
 * document.
 */
export const openDocument = (id: string, invoice: string) =>
  envelope(client.GET('/api/support/customers/{id}/invoices/{invoice}', { params: { path: { id, invoice } } }));
