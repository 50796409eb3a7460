import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { LANGUAGE_KEY } from '@/lib/language';
import type { LanguageCode } from '@/lib/languages';
import { openAfresh } from '@/lib/reload';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { renderRoutes } from '@/testing/render';
import { profile } from '@/testing/security';
import { answer } from '@/testing/server';
import { LanguageKeeper } from './language-keeper';

test.each<LanguageCode | null>([null, 'en'])(
  'a page whose URL is in Hindi stays open and changes nothing in an account with the language %s',
  async (language) => {
    sessionStorage.clear();
    localStorage.removeItem(LANGUAGE_KEY);
    startSession(franchiserUser());
    const read = answer('get', '/profile/details/profile', { ...profile, language });
    const kept = answer('put', '/profile/language', null);
    renderRoutes([{ path: 'account', element: <LanguageKeeper /> }], { at: '/account' });
    await waitFor(() => expect(read.requests).toHaveLength(1));
    expect(kept.bodies).toEqual([]);
    expect(openAfresh).not.toHaveBeenCalled();
    expect(localStorage.getItem(LANGUAGE_KEY)).toBeNull();
  },
);
