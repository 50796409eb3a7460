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

/** Staff have a session of their own, which is never renewed: it lasts a working day. */
export const client = createClient<paths>({
  baseUrl: origin,
  fetch: (request) =>
    sendChecked(request, (one) => {
      const prepared = new Request(one, { credentials: 'include' });
      if (one.method !== 'GET') prepared.headers.set('X-XSRF-TOKEN', xsrf());
      return fetch(prepared);
    }),
});

/** How often what is on the screen is asked for anew, in milliseconds. */
export const REFRESH_MS = 5000;

/** How often while a worker does what staff asked for, in milliseconds. */
export const WORKING_MS = 2000;

/** A failure is told where the answer would stand, never by a toast as well. */
export const inPlace = { meta: { quiet: true } };

/** Every write sends the token that the client adds by itself. */
const params = { header: {} };

export const signIn = (body: Schemas['StaffSignIn']) => data(client.POST('/api/support/login', { body }));
export const signOut = () => envelope(client.POST('/api/support/logout', { params }));
export const getMe = () => data(client.GET('/api/support/me'));
export const search = (q: string, signal: AbortSignal) =>
  data(client.GET('/api/support/search', { params: { query: { q } }, signal }));
