import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, REFRESH_MS, supportKey } from './support';

type Schemas = components['schemas'];
export type StaffAccount = Schemas['StaffAccount'];
export type StaffInvitation = Schemas['StaffInvitation'];
export type StaffReset = Schemas['StaffReset'];
export type StaffActivity = Schemas['StaffActivity'];
export type Enrolment = Schemas['StaffEnrolment'];
export type StaffTie = Schemas['StaffTie'];
type Proof = Schemas['StaffProof'];
export type Authenticator = Schemas['StaffAuthenticator'];

const header = {};
const at = (id: string) => ({ path: { id }, header });

export const staffQuery = queryOptions({
  queryKey: [...supportKey, 'staff'],
  queryFn: () => data(client.GET('/api/support/staff')),
  // An invitation is being sent for some seconds.
  refetchInterval: ({ state: { data: staff } }) =>
    staff?.emails && staff.invitations.some((i) => !i.sent_at && !i.send_error) ? REFRESH_MS : false,
});
export const activityQuery = (id: string) =>
  queryOptions({
    queryKey: [...supportKey, 'staff', id],
    queryFn: () => data(client.GET('/api/support/staff/{id}', { params: { path: { id } } })),
  });
export const ownQuery = queryOptions({
  queryKey: [...supportKey, 'account'],
  queryFn: () => data(client.GET('/api/support/account')),
});
/** Whose requests one cannot decide yet. */
export const tiesQuery = queryOptions({
  queryKey: [...supportKey, 'account', 'ties'],
  queryFn: () => data(client.GET('/api/support/account/ties')),
});

export const invite = (body: Schemas['StaffInvitationEntry']) =>
  envelope(client.POST('/api/support/staff-invitations', { params: { header }, body }));
export const setRole = (id: string, role: StaffAccount['role'], reason: string, proof: Proof) =>
  envelope(client.PUT('/api/support/staff/{id}', { params: at(id), body: { role, reason, ...proof } }));

/** What a dialog with a reason, and with a proof where it gives lasting access, does to an account, an invitation or a request. */
export const acts = {
  disable: (id: string, reason: string) =>
    envelope(client.POST('/api/support/staff/{id}/disable', { params: at(id), body: { reason } })),
  enable: (id: string, reason: string, proof: Proof) =>
    envelope(client.POST('/api/support/staff/{id}/enable', { params: at(id), body: { reason, ...proof } })),
  reset: (id: string, reason: string) =>
    envelope(client.POST('/api/support/staff/{id}/reset', { params: at(id), body: { reason } })),
  approve: (id: string, reason: string, proof: Proof) =>
    envelope(client.POST('/api/support/staff-resets/{id}/approve', { params: at(id), body: { reason, ...proof } })),
  decline: (id: string, reason: string) =>
    envelope(client.POST('/api/support/staff-resets/{id}/decline', { params: at(id), body: { reason } })),
  resend: (id: string, reason: string, proof: Proof) =>
    envelope(client.POST('/api/support/staff-invitations/{id}/resend', { params: at(id), body: { reason, ...proof } })),
  withdraw: (id: string, reason: string) =>
    envelope(client.POST('/api/support/staff-invitations/{id}/withdraw', { params: at(id), body: { reason } })),
  end: (id: string, reason: string) =>
    envelope(client.POST('/api/support/staff-sessions/{id}/end', { params: at(id), body: { reason } })),
};
export type Act = keyof typeof acts;

export const endOwnSession = (id: string) =>
  envelope(client.POST('/api/support/account/sessions/{id}/end', { params: at(id) }));
export const changePassword = (body: Schemas['StaffPasswordEntry']) =>
  envelope(client.POST('/api/support/account/password', { params: { header }, body }));
export const proposeAuthenticator = () =>
  data(client.POST('/api/support/account/authenticator', { params: { header } }));
export const replaceAuthenticator = (body: Schemas['StaffAuthenticatorEntry']) =>
  envelope(client.PUT('/api/support/account/authenticator', { params: { header }, body }));

/** Opens an invitation link. Never refetched: each call creates a new TOTP key, which would invalidate the scanned QR code. */
export const invitationQuery = (link: string) =>
  queryOptions({
    queryKey: [...supportKey, 'join', link],
    queryFn: () => data(client.POST('/api/support/enrolment/open', { body: { link } })),
    retry: false,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
export const enrol = (body: Schemas['StaffEnrolmentEntry']) =>
  envelope(client.POST('/api/support/enrolment', { body }));
