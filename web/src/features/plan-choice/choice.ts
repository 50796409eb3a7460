import { useEffect, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import type { components } from '@/lib/api/schema.gen';
import {
  ADD_ONS_PARAM,
  keepChoice,
  planPath,
  planTypeOf,
  REVIEW_PARAM,
  SERVICE_PARAM,
  type PlanType,
} from '@/lib/plan-choice';

type Schemas = components['schemas'];

/** The choice on the screen, and the functions that change it. */
export interface Choice {
  service: Schemas['PlanService'];
  /** The chosen add-ons of the service. */
  addOns: readonly Schemas['AddOn'][];
  selection: Schemas['PlanSelection'];
  chooseService: (id: string) => void;
  chooseAddOn: (id: string, wanted: boolean) => void;
}

/** Plan id and billing period from the URL. */
export function usePlanParams(): { planId: string; planType: PlanType } {
  const { keyB, keyC = '' } = useParams();
  return { planId: keyC, planType: planTypeOf(keyB) };
}

/** A service and its add-ons, by id. */
interface Picked {
  service: string;
  addOns: readonly string[];
}

const same = (one: Picked, other: Picked) => one.service === other.service && one.addOns.join() === other.addOns.join();

/**
 * The choice, kept in the URL so that it survives a reload, signing in and signing up; defaults to the first service. The URL changes a
 * moment after a press, so the latest press is shown until the URL has caught up.
 */
export function useChoice(services: readonly Schemas['PlanService'][], planType: PlanType): Choice | null {
  const [search, setSearch] = useSearchParams();
  const [pressed, setPressed] = useState<Picked | null>(null);
  const inAddress: Picked = {
    service: search.get(SERVICE_PARAM) ?? '',
    addOns: (search.get(ADD_ONS_PARAM) ?? '').split(',').filter(Boolean),
  };
  if (pressed && same(pressed, inAddress)) setPressed(null);
  const picked = pressed ?? inAddress;
  const service = services.find(({ id }) => id === picked.service) ?? services[0];
  if (!service) return null;
  const addOns = service.subscription_plan_add_ons_services.filter(({ id }) => picked.addOns.includes(id));
  const ids = addOns.map(({ id }) => id);

  const choose = (serviceId: string, addOnIds: readonly string[]) => {
    setPressed({ service: serviceId, addOns: addOnIds });
    setSearch(
      (before) => {
        before.set(SERVICE_PARAM, serviceId);
        if (addOnIds.length > 0) before.set(ADD_ONS_PARAM, addOnIds.join(','));
        else before.delete(ADD_ONS_PARAM);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  };

  return {
    service,
    addOns,
    selection: { plan_type: planType, plan_services_id: service.id, add_ons_service_id: ids },
    chooseService: (id) => choose(id, []),
    chooseAddOn: (id, yes) => choose(service.id, yes ? [...ids, id] : ids.filter((other) => other !== id)),
  };
}

/** The URL of this choice with the payment details open, for returning from another screen. */
export function useReviewPath(plan: Schemas['PlanDetails'], choice: Choice, planType: PlanType): string {
  const path = planPath({
    planId: plan.id,
    planName: plan.plan_name,
    planType,
    serviceId: choice.service.id,
    addOnIds: choice.selection.add_ons_service_id,
  });
  return `${path}&${REVIEW_PARAM}=1`;
}

/** Whether the payment details are open: set from the URL after a detour, and by the screen. */
export function useReview(): [boolean, (open: boolean) => void] {
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation() as { state: unknown };
  const setOpen = (open: boolean) => {
    setSearch(
      (before) => {
        if (open) before.set(REVIEW_PARAM, '1');
        else before.delete(REVIEW_PARAM);
        return before;
      },
      { replace: true, preventScrollReset: true, state },
    );
  };
  return [search.has(REVIEW_PARAM), setOpen];
}

/** Remembers the choice for screens that offer to continue with it. */
export function useKeptChoice(path: string, label: string): void {
  useEffect(() => {
    if (label) keepChoice({ path, label });
  }, [path, label]);
}
