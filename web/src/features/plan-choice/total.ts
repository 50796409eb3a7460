import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { previewQuery } from '@/domain/payment/charge';
import { useConfirming } from '@/domain/payment/confirming-notice';
import { isRefusal } from '@/domain/payment/refusal';
import { toApiError, type ApiError } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { useMayBuy } from '@/domain/owner-buys';
import { useSession } from '@/lib/session/session';
import { quoteQuery } from './api/quote';

type Schemas = components['schemas'];

/** Refusals that the page resolves by asking for the billing details. */
const billing = new Set(['address_required', 'name_required']);

/** The total of a choice, always computed by the server. */
export interface Total {
  preview: Schemas['PaymentPreview'] | undefined;
  /** True while a new total is loading and the old one is still shown. */
  updating: boolean;
  error: unknown;
  /** Why this account cannot buy the choice, according to the server; null if it can. */
  refusal: ApiError | null;
  /** True if the billing details are still missing. */
  needsBilling: boolean;
  /** False for members, and while the account is to be erased. */
  mayBuy: boolean;
  retry: () => void;
}

/** For signed-in people the price they would pay, credits included; for everybody else, for members, or without an address, the public quote. */
export function useTotal(selection: Schemas['PlanSelection']): Total {
  const { isAuthenticated } = useSession();
  const mayBuy = useMayBuy();
  const asksOwn = mayBuy && isAuthenticated;
  const own = useQuery({
    ...previewQuery({ of: 'plan', selection }),
    enabled: asksOwn,
    placeholderData: keepPreviousData,
  });
  const quote = useQuery({ ...quoteQuery(selection), enabled: !asksOwn || own.isError });
  const shown = asksOwn && !own.isError ? own : quote;
  // The payment details warn of a payment that is being confirmed only if it is cached.
  useConfirming(Boolean(shown.data?.gateway_details));
  const failure = asksOwn && own.isError ? toApiError(own.error) : null;
  const needsBilling = failure !== null && billing.has(failure.code);
  return {
    preview: shown.data,
    updating: shown.isPlaceholderData || (shown.isPending && shown.isFetching),
    error: shown.isError ? shown.error : null,
    refusal: failure && !needsBilling && isRefusal(failure) ? failure : null,
    needsBilling,
    mayBuy,
    retry: () => void shown.refetch(),
  };
}
