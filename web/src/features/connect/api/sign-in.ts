import { queryOptions } from '@tanstack/react-query';
import { askedOnce } from '@/lib/api/asked-once';
import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

type SignInRequest = components['schemas']['SignInRequest'];

const names = [
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
] as const;

/** The URL parameters sent by the connected system; unknown ones are omitted. */
function requestOf(search: URLSearchParams): SignInRequest {
  const body: SignInRequest = { client_id: search.get('client_id') ?? '', redirect_uri: '' };
  for (const name of names) {
    const value = search.get(name);
    if (value) body[name] = value;
  }
  return body;
}

/**
 * `POST /connected-systems/sign-in`: the redirect URL. Each response contains a single-use code, so it is fetched once per page and never
 * cached.
 */
export const signInQuery = (search: URLSearchParams, page: string) =>
  queryOptions({
    ...askedOnce,
    queryKey: ['connected-sign-in', page, search.toString()],
    queryFn: () => data(api.POST('/connected-systems/sign-in', { body: requestOf(search) })),
  });
