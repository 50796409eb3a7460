import { useQuery } from '@tanstack/react-query';
import { meQuery } from './queries';
import type { StaffMember } from './support';

export type Role = StaffMember['role'];

/**
 * Mirrors pkg/platform/authz/policy.csv, so that screens offer only allowed actions. `help`: act for a customer or on a job; `money`:
 * request refunds and work with settlements, returns and documents; `books`: see the operator's accounts, figures and returns; `files`:
 * download these and complete money lists; `requests`: answer contact requests (finance: only billing requests and its own); `ops`: see
 * jobs, queues and connected systems; `office`: see staff accounts; `trail`: download the whole audit trail; `admin`: everything else.
 */
export type Right = 'help' | 'money' | 'books' | 'files' | 'requests' | 'ops' | 'office' | 'trail' | 'admin';

const rights: Record<Role, Right[]> = {
  support: ['help', 'requests', 'ops'],
  finance: ['money', 'requests', 'books', 'files'],
  auditor: ['books', 'files', 'ops', 'office', 'trail'],
  admin: ['help', 'money', 'requests', 'books', 'files', 'ops', 'office', 'trail', 'admin'],
};

export const roleNames: Record<Role, string> = {
  support: 'Support: helps customers',
  finance: 'Finance: money, settlements, returns and documents',
  auditor: 'Auditor: reads everything, changes nothing',
  admin: 'Admin: everything, staff included',
};

export const may = (role: Role | undefined, right: Right) => role !== undefined && rights[role].includes(right);

const called: Record<Role, string> = { support: 'support', finance: 'finance', auditor: 'auditors', admin: 'admins' };

/** The roles that have the right, as a sentence names them. */
export const whoMay = (right: Right): string =>
  new Intl.ListFormat('en-GB').format(
    (Object.keys(called) as Role[]).filter((role) => may(role, right)).map((role) => called[role]),
  );

/** Whether the member who is signed in has one of the rights. */
export function useMay(...wanted: Right[]): boolean {
  const { data } = useQuery(meQuery);
  return wanted.some((right) => may(data?.role, right));
}
