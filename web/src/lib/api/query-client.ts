import {
  MutationCache,
  onlineManager,
  partialMatchKey,
  type Query,
  QueryCache,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import { getDefaultStore } from 'jotai';
import { followRedirect } from '@/lib/session/follow-redirect';
import { getSession, sessionAtom } from '@/lib/session/session';
import { sessionQuery } from '@/lib/session/session-query';
import { toast } from '@/lib/toast';
import { isAbort, toApiError } from './errors';

interface CallMeta extends Record<string, unknown> {
  /**
   * Shows a failure as a toast, and opens the screen that a refusal names. Calls whose screen shows the failure have no toast; the others are
   * `error`; `warning`, because the page works without the data; `refresh`, for a query whose screen shows a failed load, but not that newer
   * data is missing; `redirect`, for a form that is left where the refusal names a screen; and `fields`, the errors of single fields as one
   * warning besides those at the fields.
   */
  toast?: 'error' | 'warning' | 'refresh' | 'redirect' | 'fields';
  /** The data that a call changes: keys, or all data of the account. It is fetched again after a refusal too, which may tell of a change. */
  invalidates?: 'account' | readonly QueryKey[];
  /** The same for all users, so it survives a sign-out. */
  public?: boolean;
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: CallMeta;
    mutationMeta: CallMeta;
  }
}

/** Reports the failures of calls that ask for it; `hasData` tells of a query that its screen shows older data. */
function report(error: unknown, { toast: kind }: CallMeta = {}, hasData = false): void {
  if (!kind || isAbort(error)) return;
  const failure = toApiError(error);
  const messages = new Set(Object.values(failure.fields).flat());
  const left = followRedirect(failure);
  if (kind === 'fields' && messages.size > 0) toast.warn([...messages].join(' '));
  else if (kind === 'warning') toast.warn(failure.message);
  else if (left || kind === 'error' || (kind === 'refresh' && hasData)) toast[failure.kind](failure.message);
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

/**
 * Fetches again what a call changed. Only the session is waited for, because it decides which page may be opened. Waiting for the rest would
 * delay the message of success, and lose it if what arrives first removes the component that says it.
 */
async function refresh(client: QueryClient, { invalidates = [] }: CallMeta = {}): Promise<void> {
  const isChanged = ({ queryKey, meta }: Query) =>
    invalidates === 'account' ? meta?.public !== true : invalidates.some((key) => partialMatchKey(queryKey, key));
  const isSession = ({ queryKey }: Query) => partialMatchKey(queryKey, sessionQuery.queryKey);
  // The answer of a read that began before the change may show the old state.
  await client.cancelQueries({ predicate: isChanged });
  void client.invalidateQueries({ predicate: (query) => isChanged(query) && !isSession(query) });
  await client.invalidateQueries({ predicate: (query) => isChanged(query) && isSession(query) });
}

/** The cache of the server's data, with the central error handler. */
export function createQueryClient(): QueryClient {
  const handle = (error: unknown, meta: CallMeta | undefined, hasData?: boolean) => {
    report(error, meta, hasData);
    learnOfChange(client, error);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => handle(error, query.meta, query.state.data !== undefined),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => handle(error, mutation.meta),
      // Without a network, fetching would fail like the change, and say so once more.
      onSettled: (_data, _error, _variables, _result, mutation) =>
        onlineManager.isOnline() ? refresh(client, mutation.meta) : undefined,
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
