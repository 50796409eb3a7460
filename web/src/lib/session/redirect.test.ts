import { describe, expect, it } from 'vitest';
import { afterLogin, afterSignIn, isPersonal, loginPath, redirectPath, safePath, withReturn } from './redirect';
import { firstScreen } from './roles';

describe('safePath', () => {
  it.each(['/dashboard', '/plan/growth/annual/1?x=1'])('accepts %s', (path) => expect(safePath(path)).toBe(path));
  it.each([
    null,
    '',
    'dashboard',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/a\nb',
  ])('refuses %s', (path) => expect(safePath(path)).toBeNull());
});

describe('afterSignIn', () => {
  it('follows the three words of the server', () => {
    expect(afterSignIn('subscription_price', null)).toBe('/pricing');
    expect(afterSignIn('subscription_store', null)).toBe('/store-details');
    expect(afterSignIn('subscription_dashboard', null)).toBe('/dashboard');
  });

  it('returns to the screen asked for once the account is set up', () => {
    expect(afterSignIn('subscription_dashboard', '/subscription_list?page=2')).toBe('/subscription_list?page=2');
  });

  it('lets a person without a plan return to their choice of one, and to nothing behind it', () => {
    expect(afterSignIn('subscription_price', '/plan/growth/annual/1')).toBe('/plan/growth/annual/1');
    expect(afterSignIn('subscription_price', '/subscription_list')).toBe('/subscription_list');
    expect(afterSignIn('subscription_price', '/dashboard')).toBe('/pricing');
  });

  it('returns to an invitation whatever is missing in the own account', () => {
    for (const word of ['subscription_price', 'subscription_store', 'subscription_dashboard'])
      expect(afterSignIn(word, '/team/abc')).toBe('/team/abc');
    expect(afterSignIn('subscription_store', '/account/confirm-email')).toBe('/account/confirm-email');
    expect(isPersonal('https://evil.example/team/abc')).toBe(false);
  });

  it('takes a screen of managers for the owner’s own', () => {
    expect(afterSignIn('subscription_dashboard', '/account/store')).toBe('/account?tab=store');
    expect(afterSignIn('subscription_price', '/account/store')).toBe('/pricing');
  });

  it('wants the store first where it is missing', () => {
    expect(afterSignIn('subscription_store', '/dashboard')).toBe('/store-details');
  });

  it('never leaves the site', () => {
    expect(afterSignIn('subscription_dashboard', '//evil.example')).toBe('/dashboard');
    expect(afterSignIn('https://evil.example', null)).toBe('/dashboard');
    expect(redirectPath('//evil.example')).toBeNull();
  });
});

describe('afterLogin', () => {
  it('leads a person with access to other accounts to the account choice, and keeps the requested screen', () => {
    expect(afterLogin('subscription_dashboard', '/subscription_list?page=2', true)).toBe(
      '/accounts?return=%2Fsubscription_list%3Fpage%3D2',
    );
    expect(afterLogin('subscription_price', null, true)).toBe('/accounts');
    expect(afterLogin('subscription_price', '/accounts', true)).toBe('/accounts');
    expect(afterLogin('subscription_dashboard', '//evil.example', true)).toBe('/accounts');
    expect(afterLogin('subscription_dashboard', '/accounts?return=%2Faccount%2Fstore', true)).toBe(
      '/accounts?return=%2Faccount%2Fstore',
    );
  });

  it('skips the account choice for others, and on the way to personal screens', () => {
    expect(afterLogin('subscription_dashboard', '/subscription_list', false)).toBe('/subscription_list');
    expect(afterLogin('subscription_price', '/team/abc', true)).toBe('/team/abc');
    expect(afterLogin('subscription_store', '/account/confirm-email', true)).toBe('/account/confirm-email');
  });
});

describe('firstScreen', () => {
  it('is the screen asked for where the role includes it, and else where the role begins', () => {
    expect(firstScreen('owner', 'subscription_dashboard', '/account')).toBe('/account');
    expect(firstScreen('accountant', undefined, '/subscription_list?page=2')).toBe('/subscription_list?page=2');
    expect(firstScreen('accountant', undefined, '/dashboard')).toBe('/subscription_list');
    expect(firstScreen('accountant', undefined, '/subscription_list/FP1')).toBe('/subscription_list');
    expect(firstScreen('manager', undefined, '/account/store')).toBe('/account/store');
    expect(firstScreen('manager', undefined, '//evil.example/account/store')).toBe('/account/store');
    expect(firstScreen('manager', undefined, '/team/abc')).toBe('/team/abc');
  });
});

it('carries the screen asked for through login and sign-up', () => {
  expect(loginPath('/plan/growth/annual/1?a=b')).toBe('/login?return=%2Fplan%2Fgrowth%2Fannual%2F1%3Fa%3Db');
  expect(loginPath('/')).toBe('/login');
  expect(withReturn('/sign-up', '/pricing')).toBe('/sign-up?return=%2Fpricing');
  expect(withReturn('/sign-up', 'https://evil.example')).toBe('/sign-up');
});
