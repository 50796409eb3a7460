import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { getDefaultStore } from 'jotai';
import { followRedirect } from '@/lib/session/follow-redirect';
import { getSession, sessionAtom } from '@/lib/session/session';
import { sessionQuery } from '@/lib/session/session-query';
import { toast } from '@/lib/toast';
import { isAbort, toApiError } from './errors';

interface CallMeta extends Record<string, unknown> {
  /** Shows no toast on failure: for polling, and for calls whose failure is shown on the screen anyway. */
  quiet?: boolean;
  /** Shows a failure as a warning only, because the page works without the data. */
  warns?: boolean;
  /** Shows errors of single fields as one warning, in addition to those at the fields. */
  joinsFields?: boolean;
  /** The same for all users, so it survives a sign-out. */
  public?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta;
    mutationMeta: CallMeta;
  }
}

/** The central error handler: reports each failed call as the error catalogue defines. */
function report(error: unknown, meta: CallMeta | undefined): void {
  if (meta?.quiet || isAbort(error)) return;
  const failure = toApiError(error);
  const messages = new Set(Object.values(failure.fields).flat());
  if (meta?.joinsFields && messages.size > 0) toast.warn([...messages].join(' '));
  else toast[meta?.warns ? 'warn' : failure.kind](failure.message);
  followRedirect(failure);
}

function shouldRetry(count: number, error: unknown): boolean {
  const { status } = toApiError(error);
  return count < 2 && (status === 0 || status >= 502);
}

/** Discards all data of the account on sign-out. */
function forgetOnSignOut(client: QueryClient): void {
  getDefaultStore().sub(sessionAtom, () => {
    if (!getSession().isAuthenticated) client.removeQueries({ predicate: (query) => query.meta?.public !== true });
  });
}

/** Refetches the session after an error that tells of an erasure, or of another role, that the session does not know yet. */
function learnOfChange(client: QueryClient, error: unknown): void {
  const { code } = toApiError(error);
  if ((code === 'erasure_scheduled' && !getSession().eraseOn) || code === 'role_forbidden')
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
}

/** The cache of the server's data, with the central error handler. */
export function createQueryClient(): QueryClient {
  const handle = (error: unknown, meta: CallMeta | undefined) => {
    report(error, meta);
    learnOfChange(client, error);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => handle(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => handle(error, mutation.meta),
    }),
    // Without a network, calls fail with a message; by default the library would pause them silently.
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
