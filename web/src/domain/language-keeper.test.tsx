import { waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { LANGUAGE_KEY } from '@/lib/language';
import { openAfresh } from '@/lib/reload';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { profile } from '@/testing/security';
import { answer } from '@/testing/server';
import { LanguageKeeper } from './language-keeper';

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  startSession(franchiserUser());
});

const open = () => renderRoutes([{ path: 'account', element: <LanguageKeeper /> }], { at: '/account?tab=store' });

test('saves the language chosen in this browser in the account, once', async () => {
  localStorage.setItem(LANGUAGE_KEY, 'en');
  const read = answer('get', '/profile/details/profile', { ...profile, language: 'hi' });
  const kept = answer('put', '/profile/language', null);
  open();
  await waitFor(() => expect(kept.bodies).toEqual([{ language: 'en' }]));
  open();
  expect(read.requests).toHaveLength(1);
  expect(openAfresh).not.toHaveBeenCalled();
});

test('opens the page in the account’s language if none was chosen in this browser', async () => {
  answer('get', '/profile/details/profile', { ...profile, language: 'hi' });
  open();
  await waitFor(() => expect(openAfresh).toHaveBeenCalledWith('/hi/account?tab=store'));
  expect(localStorage.getItem(LANGUAGE_KEY)).toBe('hi');
});

test('does nothing if neither browser nor account has a language', async () => {
  const read = answer('get', '/profile/details/profile', profile);
  open();
  await waitFor(() => expect(read.requests).toHaveLength(1));
  expect(openAfresh).not.toHaveBeenCalled();
  expect(localStorage.getItem(LANGUAGE_KEY)).toBeNull();
});
