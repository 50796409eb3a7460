import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ids, tenant } from '@/testing/subscription-factories';
import { SettingsCard } from './settings-card';

function setup({ ten }: { ten?: Parameters<typeof tenant>[0] } = {}) {
  return renderRoutes([{ path: 'dashboard', element: <SettingsCard tenant={tenant(ten)} /> }]);
}

test('the store password needs both fields and the same password twice, and closes a second after', async () => {
  const update = answer('put', '/subscription/password/update/{id}', null, 'Store password changed.');
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Change store password' }));
  const dialog = await screen.findByRole('dialog', { name: 'Change store password' });
  await user.click(await within(dialog).findByRole('button', { name: 'Update' }));
  expect(await within(dialog).findByRole('link', { name: 'New password: Required' })).toBeVisible();
  expect(await within(dialog).findByRole('link', { name: 'Confirm password: Required' })).toBeVisible();

  await user.type(within(dialog).getByLabelText('New password'), 'Mango#2026');
  await user.type(within(dialog).getByLabelText('Confirm password'), 'Mango#2027');
  await user.click(within(dialog).getByRole('button', { name: 'Update' }));
  expect(
    within(dialog).getByRole('link', { name: 'Confirm password should be the same as the new password' }),
  ).toBeVisible();
  expect(update.bodies).toHaveLength(0);

  await user.clear(within(dialog).getByLabelText('Confirm password'));
  await user.type(within(dialog).getByLabelText('Confirm password'), 'Mango#2026');
  await user.type(within(dialog).getByLabelText('Password of your account'), 'Guava#2026');
  await user.click(within(dialog).getByRole('button', { name: 'Update' }));
  expect(await within(dialog).findByText(/The password is changed/)).toBeVisible();
  expect(update.bodies).toEqual([{ password: 'Mango#2026', current_password: 'Guava#2026' }]);
  expect(update.requests[0]?.url).toContain(ids.tenant);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

const domain = {
  id: ids.tenant,
  domain: 'asha-sweets.franchise360.example',
  custom_domain: 'shop.ashasweets.in',
  state: 'pending',
  ip_address: '203.0.113.10',
  records: [
    {
      type: 'TXT',
      name: '_franchise360.shop.ashasweets.in',
      relative_name: '_franchise360.shop',
      value: 'franchise360-verify=7f3c',
      ttl: 3600,
      purpose: 'proof',
      found: [],
      matches: false,
    },
    {
      type: 'A',
      name: 'shop.ashasweets.in',
      relative_name: 'shop',
      value: '203.0.113.10',
      ttl: 3600,
      purpose: 'routing',
      found: ['198.51.100.4'],
      matches: true,
    },
  ],
  reason: 'The TXT record was not found yet.',
  checked_at: '2026-11-21T05:30:00Z',
  checking: false,
  next_check_at: null,
};

test('a custom domain is checked here and there, saved as a host, and leads on to its records', async () => {
  const { user } = setup();
  await user.click(await screen.findByRole('button', { name: 'Change custom domain' }));
  const dialog = await screen.findByRole('dialog', { name: 'Change custom domain' });
  await user.click(await within(dialog).findByRole('button', { name: 'Update' }));
  expect(await within(dialog).findByRole('link', { name: 'Custom domain: Required' })).toBeVisible();
  await user.type(within(dialog).getByLabelText('Custom domain'), 'no domain');
  await user.click(within(dialog).getByRole('button', { name: 'Update' }));
  expect(await within(dialog).findByRole('link', { name: 'Custom domain: Enter valid domain name' })).toBeVisible();

  refuse('put', '/subscription/custom-domain/{id}', 409, {
    code: 'domain_taken',
    message: 'Another store has verified this domain.',
  });
  await user.clear(within(dialog).getByLabelText('Custom domain'));
  await user.type(within(dialog).getByLabelText('Custom domain'), 'https://Shop.AshaSweets.in/');
  await user.click(within(dialog).getByRole('button', { name: 'Update' }));
  expect(await within(dialog).findByText('Another store has verified this domain.')).toBeVisible();

  const update = answer('put', '/subscription/custom-domain/{id}', domain);
  answer('get', '/subscription/custom-domain/{id}', domain);
  await user.click(within(dialog).getByRole('button', { name: 'Update' }));
  expect(await screen.findByRole('dialog', { name: 'How to link your domain to IP' })).toBeVisible();
  expect(update.bodies).toEqual([{ custom_domain: 'shop.ashasweets.in' }]);
});

test('how to link a domain can be watched, with the steps and records beside it', async () => {
  answer('get', '/subscription/custom-domain/{id}', domain);
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  const { user } = setup({ ten: { custom_domain: 'shop.ashasweets.in', custom_domain_state: 'pending' } });
  await user.click(screen.getByRole('button', { name: 'How to link your domain to IP' }));
  const dialog = await screen.findByRole('dialog', { name: 'How to link your domain to IP' });
  const video = await within(dialog).findByLabelText('Link your own domain');
  expect(video.querySelector('track[kind=captions]')).toHaveAttribute('srclang', 'en');
  expect(video.querySelector('source')?.getAttribute('src')).toContain('domain');
  await user.click(within(dialog).getByRole('button', { name: 'Play: Link your own domain' }));
  expect(play).toHaveBeenCalledOnce();
  expect(video).toHaveAttribute('controls');
  expect(await within(dialog).findByRole('heading', { name: /TXT record/ })).toBeVisible();
  expect(await accessibilityFaults(dialog)).toEqual([]);
});

test('the records to link a domain can be copied exactly, with what DNS answers, and checked again', async () => {
  answer('get', '/subscription/custom-domain/{id}', domain);
  const check = answer('put', '/subscription/custom-domain/{id}', domain);
  const { user } = setup({ ten: { custom_domain: 'shop.ashasweets.in', custom_domain_state: 'pending' } });
  expect(screen.getByText('Waiting for your DNS records')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'How to link your domain to IP' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(await within(dialog).findByRole('button', { name: 'Copy value of the TXT record' }));
  expect(await navigator.clipboard.readText()).toBe('franchise360-verify=7f3c');
  await user.click(within(dialog).getByRole('button', { name: 'Copy short name of the TXT record' }));
  expect(await navigator.clipboard.readText()).toBe('_franchise360.shop');
  await user.click(within(dialog).getByRole('button', { name: 'Copy name of the TXT record' }));
  expect(await navigator.clipboard.readText()).toBe('_franchise360.shop.ashasweets.in');
  expect(within(dialog).getByText('Not found yet')).toBeVisible();
  expect(within(dialog).getByText('The TXT record was not found yet.')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Check again' }));
  await waitFor(() => expect(check.bodies).toEqual([{ custom_domain: 'shop.ashasweets.in' }]));
});

test('a look at DNS shows that it is under way, until its answer is there', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer('get', '/subscription/custom-domain/{id}', domain);
  answer('put', '/subscription/custom-domain/{id}', { ...domain, checking: true });
  const { user } = setup({ ten: { custom_domain: 'shop.ashasweets.in', custom_domain_state: 'pending' } });
  await user.click(screen.getByRole('button', { name: 'How to link your domain to IP' }));
  await user.click(await screen.findByRole('button', { name: 'Check again' }));
  expect(await screen.findByText('Checking the DNS records of shop.ashasweets.in…')).toHaveAttribute('role', 'status');
  // The check that was already running finishes first; its result is not the requested check's.
  const earlier = answer('get', '/subscription/custom-domain/{id}', {
    ...domain,
    checking: true,
    checked_at: '2026-11-21T05:30:30Z',
  });
  await vi.advanceTimersByTimeAsync(1100);
  await waitFor(() => expect(earlier.bodies).not.toEqual([]));
  expect(screen.getByText('Checking the DNS records of shop.ashasweets.in…')).toBeVisible();
  expect(screen.queryByText('The TXT record was not found yet.')).not.toBeInTheDocument();
  answer('get', '/subscription/custom-domain/{id}', {
    ...domain,
    state: 'active',
    reason: null,
    checked_at: '2026-11-21T05:31:00Z',
  });
  await vi.advanceTimersByTimeAsync(1100);
  expect(await screen.findByText('Linked')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Check again' })).not.toBeInTheDocument();
  vi.useRealTimers();
});

test('a domain is given up only after a second press', async () => {
  answer('get', '/subscription/custom-domain/{id}', domain);
  const remove = answer(
    'delete',
    '/subscription/custom-domain/{id}',
    { ...domain, custom_domain: null, state: 'none', records: [], checked_at: null },
    'Custom domain removed.',
  );
  const { user } = setup({ ten: { custom_domain: 'shop.ashasweets.in', custom_domain_state: 'pending' } });
  await user.click(screen.getByRole('button', { name: 'How to link your domain to IP' }));
  await user.click(await screen.findByRole('button', { name: 'Remove domain' }));
  expect(screen.getByRole('alert')).toHaveTextContent(
    'shop.ashasweets.in will no longer open your store, which stays at asha-sweets.franchise360.example.',
  );
  expect(remove.requests).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Remove shop.ashasweets.in' }));
  expect(await screen.findByRole('button', { name: 'Set custom domain' })).toBeVisible();
  expect(remove.requests[0]?.url).toContain(ids.tenant);
});
