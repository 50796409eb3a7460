import { api, data } from '@/lib/api/client';
import { isInvitation } from './redirect';

const KEY = 'franchise360-accounts';

/** Whether somebody who uses this browser belongs to another's account; nothing says to which. */
export function hasOtherAccounts(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** Notes how many accounts a person has been found to have. */
export function noteAccounts(count: number): void {
  try {
    if (count > 1) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // With storage blocked, the menu offers the switch only inside another's account.
  }
}

/**
 * Where to go after a log-in: to the choice of an account for people who belong to another's, because the screen asked for may be
 * one of that account. The server is asked only where that
 * is likely, so that owners of a plan wait for nothing.
 */
export async function withChoiceOfAccount(redirectTo: string, back: string | null, target: string): Promise<string> {
  if (isInvitation(back) || (redirectTo !== 'subscription_price' && !hasOtherAccounts())) return target;
  try {
    const accounts = await data(api.GET('/accounts'));
    noteAccounts(accounts.length);
    return accounts.length > 1 ? '/accounts' : target;
  } catch {
    return target;
  }
}
