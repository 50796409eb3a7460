import { describe, expect, it } from 'vitest';
import { afterSignIn, isInvitation, loginPath, redirectPath, safePath, withReturn } from './redirect';

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
    expect(isInvitation('https://evil.example/team/abc')).toBe(false);
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

it('carries the screen asked for through login and sign-up', () => {
  expect(loginPath('/plan/growth/annual/1?a=b')).toBe('/login?return=%2Fplan%2Fgrowth%2Fannual%2F1%3Fa%3Db');
  expect(loginPath('/')).toBe('/login');
  expect(withReturn('/sign-up', '/pricing')).toBe('/sign-up?return=%2Fpricing');
  expect(withReturn('/sign-up', 'https://evil.example')).toBe('/sign-up');
});
