import createClient from 'openapi-fetch';
import { sendChecked } from '@/lib/api/browser-check';
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
