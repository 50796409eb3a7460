import { describe, expect, it } from 'vitest';
import { franchiserUser } from '@/testing/factories';
import { endSession, getSession, readSession, SESSION_KEY, signedOut, startSession } from './session';

describe('the stored session', () => {
  it('is saved on every change under franchiser-user and read back at the next start', () => {
    startSession(franchiserUser({ is_active: true, has_store_details: true, franchiser_id: 'f-1' }));
    expect(JSON.parse(localStorage.getItem(SESSION_KEY) ?? '')).toMatchObject({
      isAuthenticated: true,
      isActive: true,
      hasStoreDetails: true,
      franchiserID: 'f-1',
    });
    expect(readSession()).toEqual({
      ...getSession(),
      user: { ...getSession().user, mobile: '', email: '' },
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

it('stores the names that the header shows, but no mobile number and no e-mail', () => {
  const user = franchiserUser({ first_name: 'Asha', last_name: 'Kulkarni', store_name: 'AshaMart' });
  startSession(user);
  const stored = localStorage.getItem(SESSION_KEY) ?? '';
  expect(JSON.parse(stored)).toMatchObject({
    storeName: 'AshaMart',
    user: { first_name: 'Asha', last_name: 'Kulkarni' },
  });
  for (const contact of [user.mobile, user.email]) expect(stored).not.toContain(contact);
});

it('stores no name while the account of somebody else is open', () => {
  startSession(franchiserUser({ store_name: 'AshaMart', account_name: 'Meera' }));
  expect(localStorage.getItem(SESSION_KEY)).not.toMatch(/AshaMart|Asha/);
});
