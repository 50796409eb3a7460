import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useSyncExternalStore } from 'react';
import type { components } from '@/lib/api/schema.gen';

export type FranchiserUser = components['schemas']['FranchiserUser'];

/** The signed-in person, as far as screens show them. */
export type SessionUser = Pick<FranchiserUser, 'id' | 'mobile' | 'email' | 'first_name' | 'last_name' | 'has_address'>;

/** Display state only: the server's cookies decide what a person may do. */
export interface Session {
  user: SessionUser | null;
  isAuthenticated: boolean;
  isActive: boolean;
  hasStoreDetails: boolean;
  storeName: string;
  franchiserID: string | null;
  /** True where a plan has ended, also while the account still counts as active. */
  planEnded: boolean;
  /** The day on which the account is erased, as a date; null where that was not asked for. Until it is withdrawn nothing can be bought. */
  eraseOn: string | null;
}

/** What the payment status says of a plan that has ended. */
const EXPIRED = 5;

/** Key of the local storage entry in which the session's display state is kept, without anything about the person. */
export const SESSION_KEY = 'franchiser-user';

export const signedOut: Session = {
  user: null,
  isAuthenticated: false,
  isActive: false,
  hasStoreDetails: false,
  storeName: '',
  franchiserID: null,
  planEnded: false,
  eraseOn: null,
};

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function parseUser(value: unknown): SessionUser | null {
  if (!isRecord(value)) return null;
  return {
    id: text(value.id),
    mobile: text(value.mobile),
    email: text(value.email),
    first_name: text(value.first_name),
    last_name: text(value.last_name),
    has_address: value.has_address === true,
  };
}

/** Reads the stored state; anything that is not of our making counts as signed out. */
export function readSession(): Session {
  if (typeof localStorage === 'undefined') return signedOut;
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null');
    if (!isRecord(stored) || stored.isAuthenticated !== true) return signedOut;
    const user = parseUser(stored.user);
    if (!user) return signedOut;
    return {
      user,
      isAuthenticated: true,
      isActive: stored.isActive === true,
      hasStoreDetails: stored.hasStoreDetails === true,
      storeName: text(stored.storeName),
      franchiserID: typeof stored.franchiserID === 'string' ? stored.franchiserID : null,
      planEnded: stored.planEnded === true,
      eraseOn: typeof stored.eraseOn === 'string' ? stored.eraseOn : null,
    };
  } catch {
    return signedOut;
  }
}

/** What may be stored: where the person stands, and no name, mobile, e-mail or store. The server tells those at the start. */
function impersonal({ user, isAuthenticated, isActive, hasStoreDetails, franchiserID, planEnded, eraseOn }: Session) {
  return {
    user: { id: user?.id, has_address: user?.has_address },
    isAuthenticated,
    isActive,
    hasStoreDetails,
    franchiserID,
    planEnded,
    eraseOn,
  };
}

const stateAtom = atom<Session>(readSession());

/** The session's display state; every write is saved. */
export const sessionAtom = atom(
  (get) => get(stateAtom),
  (_get, set, next: Session) => {
    set(stateAtom, next);
    try {
      if (next.isAuthenticated) localStorage.setItem(SESSION_KEY, JSON.stringify(impersonal(next)));
      else localStorage.removeItem(SESSION_KEY);
    } catch {
      // With storage blocked the state lives as long as the page.
    }
  },
);

/** Why the last session ended, shown on the login screen until the next sign-in. */
export const sessionNoticeAtom = atom('');

export function getSession(): Session {
  return getDefaultStore().get(sessionAtom);
}

export function updateSession(change: Partial<Session>): void {
  getDefaultStore().set(sessionAtom, { ...getSession(), ...change });
}

/** The display state for what the server says of a person. */
export function sessionOf(user: FranchiserUser): Session {
  const { id, mobile, email, first_name, last_name, has_address } = user;
  return {
    user: { id, mobile, email, first_name, last_name, has_address },
    isAuthenticated: true,
    isActive: user.is_active,
    hasStoreDetails: user.has_store_details,
    storeName: user.store_name,
    franchiserID: user.franchiser_id,
    planEnded: user.payment_status === EXPIRED,
    eraseOn: user.erase_on,
  };
}

/** Takes over what the server says of the signed-in person, after sign-in and whenever it is asked again. */
export function startSession(user: FranchiserUser): void {
  getDefaultStore().set(sessionNoticeAtom, '');
  getDefaultStore().set(sessionAtom, sessionOf(user));
}

/** Clears everything that is known of the person; `notice` is shown on the login screen. */
export function endSession(notice = ''): void {
  getDefaultStore().set(sessionNoticeAtom, notice);
  getDefaultStore().set(sessionAtom, signedOut);
}

/** Takes over a sign-in or sign-out that happened in another tab. Returns the function that stops it. */
export function followOtherTabs(): () => void {
  const handleStorage = (event: StorageEvent) => {
    if (event.key === SESSION_KEY || event.key === null) getDefaultStore().set(stateAtom, readSession());
  };
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
}

/** Whether the account has a plan that has not ended. */
export function planRuns({ isActive, planEnded }: Pick<Session, 'isActive' | 'planEnded'>): boolean {
  return isActive && !planEnded;
}

const noSubscription = () => () => undefined;

/** False while prerendered markup is being hydrated, so that the first render equals the server's. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
}

/** The session as screens may show it: signed out during hydration, then what is known. */
export function useSession(): Session {
  const session = useAtomValue(sessionAtom);
  return useHydrated() ? session : signedOut;
}
