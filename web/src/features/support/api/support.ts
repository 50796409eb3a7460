import createClient from 'openapi-fetch';
import { sendChecked } from '@/lib/api/browser-check';
import { data, envelope } from '@/lib/api/client';
import { cookie } from '@/lib/api/fetch';
import type { components, paths } from '@/lib/api/schema.gen';

type Schemas = components['schemas'];
export type Hit = Schemas['SupportHit'];
export type StaffMember = Schemas['StaffMember'];

const origin = typeof location === 'undefined' ? 'http://localhost' : location.origin;

const xsrf = () => cookie('STAFF-XSRF-TOKEN');

/** Staff have a separate session, which is never renewed: it lasts a working day. */
export const client = createClient<paths>({
  baseUrl: origin,
  fetch: (request) =>
    sendChecked(request, (one) => {
      const prepared = new Request(one, { credentials: 'include' });
      if (one.method !== 'GET') prepared.headers.set('X-XSRF-TOKEN', xsrf());
      return fetch(prepared);
    }),
});

/** The start of the key of every query of the console. */
export const supportKey = ['support'];

/** Poll interval for visible data, in milliseconds. */
export const REFRESH_MS = 5000;

/** Poll interval while a worker carries out a staff request, in milliseconds. */
export const WORKING_MS = 2000;

/** Every write sends the token, which the client adds automatically. */

export const signIn = (body: Schemas['StaffSignIn']) => data(client.POST('/api/support/login', { body }));
export const signOut = () => envelope(client.POST('/api/support/logout'));
export const getMe = () => data(client.GET('/api/support/me'));
export const getRelease = () => data(client.GET('/healthz'));
/** Searches; `all` requests the server's longest list. */
export const search = (q: string, all: boolean, signal: AbortSignal) =>
  data(client.GET('/api/support/search', { params: { query: { q, ...(all && { all }) } }, signal }));
