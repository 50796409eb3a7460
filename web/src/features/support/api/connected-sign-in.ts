import { queryOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { client, inPlace } from './support';

type Schemas = components['schemas'];
export type SignInSystem = Schemas['SignInSystem'];
export type SignInEntry = Omit<Schemas['SignInSystemEntry'], 'reason'>;

const header = {};

export const signInSystemsQuery = queryOptions({
  ...inPlace,
  queryKey: ['support', 'connected', 'sign-in'],
  queryFn: () => data(client.GET('/api/support/sign-in-systems')),
});

export const addSignInSystem = (entry: SignInEntry, reason: string) =>
  data(client.POST('/api/support/sign-in-systems', { params: { header }, body: { ...entry, reason } }));

export const changeSignInSystem = (system: string, entry: SignInEntry, reason: string) =>
  data(
    client.PUT('/api/support/sign-in-systems/{system}', {
      params: { path: { system }, header },
      body: { ...entry, reason },
    }),
  );

export const rotateSignInSecret = (system: string, reason: string) =>
  data(
    client.POST('/api/support/sign-in-systems/{system}/rotate', {
      params: { path: { system }, header },
      body: { reason },
    }),
  );

export const setSignInState = (system: string, state: SignInSystem['state'], reason: string) =>
  envelope(
    client.POST('/api/support/sign-in-systems/{system}/state', {
      params: { path: { system }, header },
      body: { state, reason },
    }),
  );
