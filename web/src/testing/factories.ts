import type { components } from '@/lib/api/schema.gen';

type Schemas = components['schemas'];

/** A franchiser as the server returns one: signed up, without a plan. */
export function franchiserUser(change: Partial<Schemas['FranchiserUser']> = {}): Schemas['FranchiserUser'] {
  return {
    id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4fb4',
    mobile: '9876543210',
    email: 'asha@example.in',
    first_name: 'Asha',
    last_name: 'Kulkarni',
    is_active: false,
    has_store_details: false,
    store_name: '',
    franchiser_id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4fb5',
    payment_status: 0,
    redirect_to: 'subscription_price',
    has_address: false,
    totp_enabled: false,
    erase_on: null,
    role: 'owner',
    account_name: null,
    other_accounts: false,
    ...change,
  };
}

/** The answer of a sign-in. */
export function signedIn(change: Partial<Schemas['FranchiserUser']> = {}): Schemas['SignedIn'] {
  const user = franchiserUser(change);
  return { redirect_to: user.redirect_to, 'franchiser-user': user };
}
