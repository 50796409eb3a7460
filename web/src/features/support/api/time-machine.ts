import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema.gen';
import { postFor } from './call';
import { supportKey } from './support';

type Schemas = components['schemas'];
export type TimeMachineQuestion = Schemas['TimeMachineQuestion'];
export type TimeMachineAnswer = Schemas['TimeMachineAnswer'];
export type TimeMachineEntry = Schemas['TimeMachineEntry'];

/** The polling interval while the answer is not ready; the server itself long-polls for a few seconds. */
const AGAIN_MS = 500;

/** Forecasts a customer's future. Each run has a number, so that the same question can be run again. */
export const timeMachineQuery = (id: string, asked: { question: TimeMachineQuestion; run: number } | undefined) =>
  queryOptions({
    queryKey: [...supportKey, 'time-machine', id, asked],
    queryFn: () => postFor('/api/support/time-machine/{id}', asked!.question, { id }),
    enabled: asked !== undefined,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) =>
      state.status === 'error' || !state.data || state.data.state === 'done' ? false : AGAIN_MS,
  });
