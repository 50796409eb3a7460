import type { components } from '@/lib/api/schema.gen';
import { post, postFor, put, read } from './call';

type Schemas = components['schemas'];
export type SignInSystem = Schemas['SignInSystem'];
type Proof = Schemas['StaffProof'];
export type SignInEntry = Omit<Schemas['SignInSystemEntry'], 'reason' | keyof Proof>;

export const signInSystemsQuery = read('/api/support/sign-in-systems');

export const addSignInSystem = (entry: SignInEntry, reason: string, proof: Proof) =>
  postFor('/api/support/sign-in-systems', { ...entry, reason, ...proof });
export const changeSignInSystem = (system: string, entry: SignInEntry, reason: string, proof: Proof) =>
  put('/api/support/sign-in-systems/{system}', { ...entry, reason, ...proof }, { system });
export const rotateSignInSecret = (system: string, reason: string, proof: Proof) =>
  postFor('/api/support/sign-in-systems/{system}/rotate', { reason, ...proof }, { system });
export const setSignInState = (system: string, state: SignInSystem['state'], reason: string, proof?: Proof) =>
  post('/api/support/sign-in-systems/{system}/state', { state, reason, ...proof }, { system });
