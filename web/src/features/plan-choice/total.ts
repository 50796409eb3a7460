import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { previewQuery } from '@/components/payment/charge';
import { isRefusal } from '@/components/payment/refusal';
import { toApiError, type ApiError } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { useSession } from '@/lib/session/session';
import { quoteQuery } from './api/quote';

type Schemas = components['schemas'];

/** The total of a choice, always the server's. */
export interface Total {
  preview: Schemas['PaymentPreview'] | undefined;
  /** True while a new total is on its way and the old one still shows. */
  updating: boolean;
  error: unknown;
  /** Why this account cannot buy the choice, as the server already says; null where it can. */
  refusal: ApiError | null;
  retry: () => void;
}

/** For signed-in people what they would pay, credits included; for everybody else, or without an address, the public quote. */
export function useTotal(selection: Schemas['PlanSelection']): Total {
  const { isAuthenticated, eraseOn } = useSession();
  const mayBuy = isAuthenticated && !eraseOn;
  const own = useQuery({
    ...previewQuery({ of: 'plan', selection }),
    enabled: mayBuy,
    placeholderData: keepPreviousData,
  });
  const quote = useQuery({ ...quoteQuery(selection), enabled: !mayBuy || own.isError });
  const shown = mayBuy && !own.isError ? own : quote;
  return {
    preview: shown.data,
    updating: shown.isPlaceholderData || (shown.isPending && shown.isFetching),
    error: shown.isError ? shown.error : null,
    refusal: mayBuy && own.isError && isRefusal(own.error) ? toApiError(own.error) : null,
    retry: () => void shown.refetch(),
  };
}
