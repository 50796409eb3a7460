import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { getDefaultStore } from 'jotai';
import { getSession, sessionAtom } from '@/lib/session/session';
import { sessionQuery } from '@/lib/session/session-query';
import { toast } from '@/lib/toast';
import { isAbort, toApiError } from './errors';

interface CallMeta extends Record<string, unknown> {
  /** No toast for a failure: for polling and for calls whose failure stands on the screen anyway. */
  quiet?: boolean;
  /** A failure is no more than a warning: what it was to bring can be gone without. */
  warns?: boolean;
  /** What the server says of single fields is one warning, beside standing on the fields. */
  joinsFields?: boolean;
  /** The same for everybody, so it outlives a sign-out. */
  public?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta;
    mutationMeta: CallMeta;
  }
}

/** The central handler: every failed call is told as the error catalogue says. */
function report(error: unknown, meta: CallMeta | undefined): void {
  if (meta?.quiet || isAbort(error)) return;
  const failure = toApiError(error);
  const messages = new Set(Object.values(failure.fields).flat());
  if (meta?.joinsFields && messages.size > 0) toast.warn([...messages].join(' '));
  else toast[meta?.warns ? 'warn' : failure.kind](failure.message);
}

function shouldRetry(count: number, error: unknown): boolean {
  const { status } = toApiError(error);
  return count < 2 && (status === 0 || status >= 502);
}

/** Forgets everything of the account as soon as nobody is signed in. */
function forgetOnSignOut(client: QueryClient): void {
  getDefaultStore().sub(sessionAtom, () => {
    if (!getSession().isAuthenticated) client.removeQueries({ predicate: (query) => query.meta?.public !== true });
  });
}

/** A refusal because of an erasure that this tab did not know of: the session says since when, so it is asked again. */
function learnOfErasure(client: QueryClient, error: unknown): void {
  if (toApiError(error).code === 'erasure_scheduled' && !getSession().eraseOn)
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** The cache of the server's data, with the central error handler. */
export function createQueryClient(): QueryClient {
  const handle = (error: unknown, meta: CallMeta | undefined) => {
    report(error, meta);
    learnOfErasure(client, error);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => handle(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => handle(error, mutation.meta),
    }),
    // Without a network a call fails and says so; by itself the library would wait in silence.
    defaultOptions: {
      queries: {
        retry: shouldRetry,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  });
  forgetOnSignOut(client);
  return client;
}
