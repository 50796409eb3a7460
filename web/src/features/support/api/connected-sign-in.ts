import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, supportKey } from './support';

type Schemas = components['schemas'];
export type SignInSystem = Schemas['SignInSystem'];
type Proof = Schemas['StaffProof'];
export type SignInEntry = Omit<Schemas['SignInSystemEntry'], 'reason' | keyof Proof>;

const header = {};

export const signInSystemsQuery = queryOptions({
  queryKey: [...supportKey, 'connected', 'sign-in'],
  queryFn: () => data(client.GET('/api/support/sign-in-systems')),
});

export const addSignInSystem = (entry: SignInEntry, reason: string, proof: Proof) =>
  data(client.POST('/api/support/sign-in-systems', { params: { header }, body: { ...entry, reason, ...proof } }));

export const changeSignInSystem = (system: string, entry: SignInEntry, reason: string, proof: Proof) =>
  data(
    client.PUT('/api/support/sign-in-systems/{system}', {
      params: { path: { system }, header },
      body: { ...entry, reason, ...proof },
    }),
  );

export const rotateSignInSecret = (system: string, reason: string, proof: Proof) =>
  data(
    client.POST('/api/support/sign-in-systems/{system}/rotate', {
      params: { path: { system }, header },
      body: { reason, ...proof },
    }),
  );

export const setSignInState = (
  system: string,
  state: SignInSystem['state'],
  reason: string,
  proof: Proof | undefined,
) =>
  envelope(
    client.POST('/api/support/sign-in-systems/{system}/state', {
      params: { path: { system }, header },
      body: { state, reason, ...proof },
    }),
  );
