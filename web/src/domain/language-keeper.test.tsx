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

test('what was chosen in this browser is kept in the account, once', async () => {
  localStorage.setItem(LANGUAGE_KEY, 'en');
  const read = answer('get', '/profile/details/profile', { ...profile, language: 'hi' });
  const kept = answer('put', '/profile/language', null);
  open();
  await waitFor(() => expect(kept.bodies).toEqual([{ language: 'en' }]));
  open();
  expect(read.requests).toHaveLength(1);
  expect(openAfresh).not.toHaveBeenCalled();
});

test('where nobody chose, the page opens in the account’s language', async () => {
  answer('get', '/profile/details/profile', { ...profile, language: 'hi' });
  open();
  await waitFor(() => expect(openAfresh).toHaveBeenCalledWith('/hi/account?tab=store'));
  expect(localStorage.getItem(LANGUAGE_KEY)).toBe('hi');
});

test('nothing happens where neither knows of a language', async () => {
  const read = answer('get', '/profile/details/profile', profile);
  open();
  await waitFor(() => expect(read.requests).toHaveLength(1));
  expect(openAfresh).not.toHaveBeenCalled();
  expect(localStorage.getItem(LANGUAGE_KEY)).toBeNull();
});
