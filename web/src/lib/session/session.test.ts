import { describe, expect, it } from 'vitest';
import { franchiserUser } from '@/testing/factories';
import { endSession, getSession, readSession, SESSION_KEY, signedOut, startSession, updateSession } from './session';

describe('the stored session', () => {
  it('is saved on every change under franchiser-user and read back at the next start', () => {
    startSession(franchiserUser({ is_active: true }));
    updateSession({ hasStoreDetails: true, franchiserID: 'f-1' });
    expect(JSON.parse(localStorage.getItem(SESSION_KEY) ?? '')).toMatchObject({
      isAuthenticated: true,
      isActive: true,
      hasStoreDetails: true,
      franchiserID: 'f-1',
    });
    expect(readSession()).toEqual({
      ...getSession(),
      storeName: '',
      user: { ...getSession().user, mobile: '', email: '', first_name: '', last_name: '' },
    });
  });

  it('is cleared whole by a sign-out', () => {
    startSession(franchiserUser({ is_active: true, has_store_details: true }));
    endSession();
    expect(getSession()).toEqual(signedOut);
    expect(localStorage.getItem(SESSION_KEY)).toBeNull();
  });

  it('holds no secret', () => {
    startSession(franchiserUser());
    expect(localStorage.getItem(SESSION_KEY)).not.toMatch(/token|password|cookie/i);
  });

  it.each(['', '{', 'null', '[]', '{"isAuthenticated":true}', '{"isAuthenticated":"yes","user":{}}'])(
    'takes %j for signed out',
    (stored) => {
      localStorage.setItem(SESSION_KEY, stored);
      expect(readSession()).toEqual(signedOut);
    },
  );
});

it('stores nothing about the person', () => {
  startSession(franchiserUser());
  const stored = localStorage.getItem(SESSION_KEY) ?? '';
  expect(stored).toContain('isAuthenticated');
  for (const personal of [
    franchiserUser().mobile,
    franchiserUser().email,
    franchiserUser().first_name,
    franchiserUser().store_name,
  ].filter(Boolean))
    expect(stored).not.toContain(personal);
});
