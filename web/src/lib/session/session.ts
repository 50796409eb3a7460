import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useSyncExternalStore } from 'react';
import type { components } from '@/lib/api/schema.gen';
import { reloadPage } from '@/lib/reload';
import { roleOf, type Role } from './roles';

export type FranchiserUser = components['schemas']['FranchiserUser'];

/** The details of the signed-in user that screens show. */
type SessionUser = Pick<FranchiserUser, 'id' | 'mobile' | 'email' | 'first_name' | 'last_name' | 'has_address'>;

/** Display state only: the server's cookies decide a user's permissions. */
export interface Session {
  user: SessionUser | null;
  isAuthenticated: boolean;
  isActive: boolean;
  hasStoreDetails: boolean;
  storeName: string;
  franchiserID: string | null;
  /** True if a plan has ended, even while the account still counts as active. */
  planEnded: boolean;
  /** The date on which the account will be erased, null if no erasure is scheduled. Until it is cancelled nothing can be bought. */
  eraseOn: string | null;
  /** What the person may do in the account that is open. */
  role: Role;
  /** The name of another's account that is open, null in the own one. */
  accountName: string | null;
  /** True for people who may act in others' accounts, wherever they act at the moment. */
  otherAccounts: boolean;
}

/** The payment status of a plan that has ended. */
const EXPIRED = 5;

/** Key of the local storage entry that holds the session's display state, without contact details. */
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
  role: 'owner',
  accountName: null,
  otherAccounts: false,
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

/** Reads the stored state; anything invalid counts as signed out. */
export function readSession(): Session {
  if (typeof localStorage === 'undefined') return signedOut;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SESSION_KEY) ?? 'null');
    if (!isRecord(kept) || kept.isAuthenticated !== true) return signedOut;
    const user = parseUser(kept.user);
    if (!user) return signedOut;
    return {
      user,
      isAuthenticated: true,
      isActive: kept.isActive === true,
      hasStoreDetails: kept.hasStoreDetails === true,
      storeName: text(kept.storeName),
      franchiserID: typeof kept.franchiserID === 'string' ? kept.franchiserID : null,
      planEnded: kept.planEnded === true,
      eraseOn: typeof kept.eraseOn === 'string' ? kept.eraseOn : null,
      role: roleOf(kept.role),
      accountName: null,
      otherAccounts: kept.otherAccounts === true,
    };
  } catch {
    return signedOut;
  }
}

/**
 * The part that may be stored: the account's progress, and the names of the person and the store, which the header shows at once
 * after a reload. Mobile and e-mail, by which a person can be reached, come from the server at start.
 */
function stored(session: Session) {
  const { user, isAuthenticated, isActive, hasStoreDetails, storeName, franchiserID, planEnded, eraseOn, role } =
    session;
  const { otherAccounts, accountName } = session;
  const own = accountName === null; // another's account that is open leaves no name here
  return {
    user: {
      id: user?.id,
      first_name: own ? user?.first_name : '',
      last_name: own ? user?.last_name : '',
      has_address: user?.has_address,
    },
    isAuthenticated,
    isActive,
    hasStoreDetails,
    storeName: own ? storeName : '',
    franchiserID,
    planEnded,
    eraseOn,
    role,
    otherAccounts,
  };
}

const stateAtom = atom<Session>(readSession());

/** The session's display state; every change is saved. */
export const sessionAtom = atom(
  (get) => get(stateAtom),
  (_get, set, next: Session) => {
    set(stateAtom, next);
    try {
      if (next.isAuthenticated) localStorage.setItem(SESSION_KEY, JSON.stringify(stored(next)));
      else localStorage.removeItem(SESSION_KEY);
    } catch {
      // If storage is blocked, the state lasts as long as the page.
    }
  },
);

/** Why the last session ended, shown on the login screen until the next sign-in. */
export const sessionNoticeAtom = atom('');

export function getSession(): Session {
  return getDefaultStore().get(sessionAtom);
}

/** The display state for a user as the server describes them. */
function sessionOf(user: FranchiserUser): Session {
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
    role: user.role,
    accountName: user.account_name,
    otherAccounts: user.other_accounts,
  };
}

/** Adopts the server's data about the signed-in user, after sign-in and after each refetch. */
export function startSession(user: FranchiserUser): void {
  getDefaultStore().set(sessionNoticeAtom, '');
  getDefaultStore().set(sessionAtom, sessionOf(user));
}

/** Clears everything about the user; `notice` is shown on the login screen. */
export function endSession(notice = ''): void {
  getDefaultStore().set(sessionNoticeAtom, notice);
  getDefaultStore().set(sessionAtom, signedOut);
}

/**
 * Adopts a sign-in or sign-out in another tab, and returns the function that stops it. If another tab opens a different account, this tab
 * reloads, so that no action reaches the wrong account.
 */
export function followOtherTabs(): () => void {
  const handleStorage = (event: StorageEvent) => {
    if (event.key !== SESSION_KEY && event.key !== null) return;
    const { franchiserID } = getSession();
    const next = readSession();
    getDefaultStore().set(stateAtom, next);
    if (franchiserID && next.franchiserID && next.franchiserID !== franchiserID) reloadPage();
  };
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
}

/** Whether the account has a plan that has not ended. */
export function planRuns({ isActive, planEnded }: Pick<Session, 'isActive' | 'planEnded'>): boolean {
  return isActive && !planEnded;
}

const noSubscription = () => () => undefined;

/** False during the hydration of prerendered markup, so that the first render matches the server's. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
}

/** The session as screens may show it: signed out during hydration, then the actual state. */
export function useSession(): Session {
  const session = useAtomValue(sessionAtom);
  return useHydrated() ? session : signedOut;
}
