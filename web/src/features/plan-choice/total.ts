import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { previewQuery } from '@/components/payment/charge';
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
  retry: () => void;
}

/** For signed-in people what they would pay, credits included; for everybody else, or without an address, the public quote. */
export function useTotal(selection: Schemas['PlanSelection']): Total {
  const { isAuthenticated } = useSession();
  const own = useQuery({
    ...previewQuery({ of: 'plan', selection }),
    enabled: isAuthenticated,
    placeholderData: keepPreviousData,
  });
  const quote = useQuery({ ...quoteQuery(selection), enabled: !isAuthenticated || own.isError });
  const shown = isAuthenticated && !own.isError ? own : quote;
  return {
    preview: shown.data,
    updating: shown.isPlaceholderData || (shown.isPending && shown.isFetching),
    error: shown.isError ? shown.error : null,
    retry: () => void shown.refetch(),
  };
}
