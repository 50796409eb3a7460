import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { afterSignIn, isPersonal, safePath } from './redirect';

export type Role = components['schemas']['FranchiserUser']['role'];

/** The parts of the product that a role may open. */
export type Area = 'owner' | 'billing' | 'store';

const opens: Record<Role, readonly Area[]> = {
  owner: ['owner', 'billing', 'store'],
  accountant: ['billing'],
  manager: ['store'],
};

/** True if the role includes the area. The server enforces it; screens only hide the rest. */
export function mayOpen(role: Role, area: Area): boolean {
  return opens[role].includes(area);
}

interface RoleWords {
  name: string;
  /** What the role may do, as the end of a sentence that begins with a person's name. */
  may: string;
  /** Where the role begins. */
  home: string;
  /** The name of that screen. */
  screen: string;
}

export const roleWords: Record<Role, RoleWords> = {
  owner: { name: t`Owner`, may: t`does everything.`, home: '/dashboard', screen: t`Dashboard` },
  accountant: {
    name: t`Accountant`,
    may: t`sees orders, payments, invoices and credit notes, and downloads them. Nothing else.`,
    home: '/subscription_list',
    screen: t`Renewals & Billing`,
  },
  manager: {
    name: t`Manager`,
    may: t`manages the store’s details and its outlets, and sees its domain. No access to payments.`,
    home: '/account/store',
    screen: t`Store`,
  },
};

/** The role of a stored state; any other word is the owner's. */
export function roleOf(word: unknown): Role {
  return word === 'accountant' || word === 'manager' ? word : 'owner';
}

/** The first screen after opening an account in a role: the requested screen, if the role includes it. */
export function firstScreen(role: Role, redirectTo: string | undefined, back: string | null): string {
  if (role === 'owner') return afterSignIn(redirectTo, back);
  const { home } = roleWords[role];
  const wanted = safePath(back);
  const path = wanted?.split(/[?#]/)[0];
  const theirs = path === home || (path === '/open-store' && mayOpen(role, 'store'));
  return wanted && (isPersonal(wanted) || theirs) ? wanted : home;
}
