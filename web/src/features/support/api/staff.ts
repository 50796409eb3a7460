import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema.gen';
import { post, postFor, put, read } from './call';
import { REFRESH_MS, supportKey } from './support';

type Schemas = components['schemas'];
export type StaffAccount = Schemas['StaffAccount'];
export type StaffInvitation = Schemas['StaffInvitation'];
export type StaffReset = Schemas['StaffReset'];
export type StaffActivity = Schemas['StaffActivity'];
export type Enrolment = Schemas['StaffEnrolment'];
export type StaffTie = Schemas['StaffTie'];
type Proof = Schemas['StaffProof'];
export type Authenticator = Schemas['StaffAuthenticator'];

export const signIn = (body: Schemas['StaffSignIn']) => postFor('/api/support/login', body);
export const signOut = () => post('/api/support/logout', undefined);

export const staffQuery = read(
  '/api/support/staff',
  {},
  {
    // An invitation is being sent for some seconds.
    refetchInterval: ({ state: { data: staff } }) =>
      staff?.emails && staff.invitations.some((i) => !i.sent_at && !i.send_error) ? REFRESH_MS : false,
  },
);
export const activityQuery = (id: string) => read('/api/support/staff/{id}', { path: { id } });
export const ownQuery = read('/api/support/account');
/** Whose requests one cannot decide yet. */
export const tiesQuery = read('/api/support/account/ties');

export const invite = (body: Schemas['StaffInvitationEntry']) => post('/api/support/staff-invitations', body);
export const setRole = (id: string, role: StaffAccount['role'], reason: string, proof: Proof) =>
  put('/api/support/staff/{id}', { role, reason, ...proof }, { id });

/** What a dialog with a reason, and with a proof where it gives lasting access, does to an account, an invitation or a request. */
export const acts = {
  disable: (id: string, reason: string) => post('/api/support/staff/{id}/disable', { reason }, { id }),
  enable: (id: string, reason: string, proof: Proof) =>
    post('/api/support/staff/{id}/enable', { reason, ...proof }, { id }),
  reset: (id: string, reason: string) => post('/api/support/staff/{id}/reset', { reason }, { id }),
  approve: (id: string, reason: string, proof: Proof) =>
    post('/api/support/staff-resets/{id}/approve', { reason, ...proof }, { id }),
  decline: (id: string, reason: string) => post('/api/support/staff-resets/{id}/decline', { reason }, { id }),
  resend: (id: string, reason: string, proof: Proof) =>
    post('/api/support/staff-invitations/{id}/resend', { reason, ...proof }, { id }),
  withdraw: (id: string, reason: string) => post('/api/support/staff-invitations/{id}/withdraw', { reason }, { id }),
  end: (id: string, reason: string) => post('/api/support/staff-sessions/{id}/end', { reason }, { id }),
};
export type Act = keyof typeof acts;

export const endOwnSession = (id: string) => post('/api/support/account/sessions/{id}/end', undefined, { id });
export const changePassword = (body: Schemas['StaffPasswordEntry']) => post('/api/support/account/password', body);
export const proposeAuthenticator = () => postFor('/api/support/account/authenticator', undefined);
export const replaceAuthenticator = (body: Schemas['StaffAuthenticatorEntry']) =>
  put('/api/support/account/authenticator', body);

/** Opens an invitation link. Never refetched: each call creates a new TOTP key, which would invalidate the scanned QR code. */
export const invitationQuery = (link: string) =>
  queryOptions({
    queryKey: [...supportKey, 'join', link],
    queryFn: () => postFor('/api/support/enrolment/open', { link }),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
export const enrol = (body: Schemas['StaffEnrolmentEntry']) => post('/api/support/enrolment', body);
