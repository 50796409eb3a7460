import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getSession } from '@/lib/session/session';
import { signedIn } from '@/testing/factories';
import { accessibilityFaults } from '@/testing/render';
import { kept, noErasure, openSecurity } from '@/testing/security';
import { answer, refuse } from '@/testing/server';
// The page loads this lazily; importing it here makes it available at once.
import './dialogs';
import { SecurityPage } from './security-page';

const enrolment = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  otpauth_url:
    'otpauth://totp/Franchise%20360:9876543210?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Franchise%20360',
  expires_in: 600,
};
const codes = [
  'K7QD-M2XA-PTGZ-6JFE-BZSD-OXRL',
  '3WNB-T5YC-GQNB-QRMK-TSXF-VYPL',
  'QZ4J-H6RE-P6RF-TAST-M23S-34KO',
  'V2PK-A7SD-TQCF-C5R6-VJME-2M4R',
  '5GXM-L3UF-LW3U-MUGD-ORPH-VLS5',
  'N6TC-B4WH-BCWF-SUBU-SUJ2-ESM4',
  'D3YR-J2QK-SIQY-KVAX-C5KX-XSG4',
  'M5HV-E6ZN-N3NH-DDDK-JC7P-UCHS',
  'R2LB-S7GP-2M6M-P427-CO24-P3N7',
  'X4FA-C5KT-MCCQ-QPNO-2QJU-DUHZ',
];

/** The files offered for download by the page. */
let files: { name: string; blob: Blob }[] = [];

beforeEach(() => {
  files = [];
  let made: Blob | undefined;
  // jsdom supports neither object URLs nor downloads.
  URL.createObjectURL = (blob) => {
    made = blob as Blob;
    return 'blob:file';
  };
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    if (made) files.push({ name: this.download, blob: made });
  });
});

afterEach(() => vi.restoreAllMocks());

/** The text of a file; jsdom's Blob has no text(). */
function textOf(file: number): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.readAsText(files[file]?.blob ?? new Blob());
  });
}

test('the authenticator app is set up: password, QR code and key, first code, recovery codes', async () => {
  const { user } = await openSecurity(<SecurityPage />);
  await user.click(await screen.findByRole('button', { name: 'Set up the authenticator app' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set up your authenticator app' }));
  refuse('post', '/profile/totp/enrol', 400, {
    message: 'The password is wrong.',
    messages: { password: ['The password is wrong.'] },
  });
  await user.type(dialog.getByLabelText('Password'), 'Wrong#2026{Enter}');
  await waitFor(() => expect(dialog.getByLabelText('Password')).toHaveAccessibleDescription(/The password is wrong/));

  answer('post', '/profile/totp/enrol', enrolment);
  await user.click(dialog.getByRole('button', { name: 'Continue' }));
  expect(await dialog.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  expect(dialog.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeVisible();
  expect(dialog.getByRole('link', { name: 'Open it in your app' })).toHaveAttribute('href', enrolment.otpauth_url);
  expect(await accessibilityFaults(document.body)).toEqual([]);

  const field = dialog.getByLabelText('Code');
  await waitFor(() => expect(field).toHaveFocus());
  await user.keyboard('12{Enter}');
  await waitFor(() => expect(field).toHaveAccessibleDescription(/Please enter a valid code/));
  refuse('post', '/profile/totp/confirm', 400, {
    message: 'Wrong.',
    code: 'totp_wrong',
    messages: { code: ['This code of the authenticator app is wrong.'] },
  });
  await user.clear(field);
  await user.type(field, '123 456{Enter}');
  await waitFor(() => expect(field).toHaveAccessibleDescription(/This code of the authenticator app is wrong/));

  const confirm = answer(
    'post',
    '/profile/totp/confirm',
    { recovery_codes: codes },
    'Authenticator app is on. Keep the recovery codes.',
  );
  answer('get', '/session', signedIn({ totp_enabled: true }));
  await user.clear(field);
  await user.type(field, '304871{Enter}');
  const list = within(await dialog.findByRole('list', { name: 'Recovery codes' }));
  expect(confirm.bodies).toEqual([{ code: '304871' }]);
  expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual(codes);
  expect(dialog.getByRole('heading', { name: 'Keep your recovery codes' })).toHaveFocus();
  expect(await accessibilityFaults(document.body)).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Save as a file' }));
  expect(await textOf(0)).toContain(codes.join('\n'));
  await user.click(dialog.getByRole('button', { name: 'I have kept them' }));
  expect(await screen.findByRole('button', { name: 'Switch off the authenticator app' })).toBeVisible();
});

test('the authenticator app is switched off by the password and a code or recovery code', async () => {
  const { user } = await openSecurity(<SecurityPage />, { totp: true });
  await user.click(await screen.findByRole('button', { name: 'Switch off the authenticator app' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Switch off the authenticator app' }));
  const disable = answer('post', '/profile/totp/disable', null, 'Authenticator app is off.');
  await user.type(dialog.getByLabelText('Password'), 'Mango#2026');
  await user.type(dialog.getByLabelText('Code'), 'abc');
  await user.click(dialog.getByRole('button', { name: 'Switch off' }));
  await waitFor(() => expect(dialog.getByLabelText('Code')).toHaveAccessibleDescription(/Please enter a valid code/));
  answer('get', '/session', signedIn({ totp_enabled: false }));
  await user.clear(dialog.getByLabelText('Code'));
  await user.type(dialog.getByLabelText('Code'), `${codes[0]!.toLowerCase()}{Enter}`);
  expect(await screen.findByRole('button', { name: 'Set up the authenticator app' })).toBeVisible();
  expect(disable.bodies).toEqual([{ password: 'Mango#2026', code: codes[0] }]);
});

test('the data comes as a file, for the password', async () => {
  const { user } = await openSecurity(<SecurityPage />);
  await user.click(await screen.findByRole('button', { name: 'Download your data' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Download your data' }));
  refuse('post', '/profile/export', 400, {
    message: 'The password is wrong.',
    messages: { password: ['The password is wrong.'] },
  });
  await user.type(dialog.getByLabelText('Password'), 'Wrong#2026{Enter}');
  await waitFor(() => expect(dialog.getByLabelText('Password')).toHaveAccessibleDescription(/The password is wrong/));

  answer('post', '/profile/export', {
    exported_at: '2026-11-21T05:30:00Z',
    sections: { profile: { email: 'asha@example.in' } },
  });
  await user.click(dialog.getByRole('button', { name: 'Collect and download' }));
  expect(await dialog.findByText('franchise360-data.json')).toBeVisible();
  expect(files).toHaveLength(1);
  expect(JSON.parse(await textOf(0))).toEqual({
    exported_at: '2026-11-21T05:30:00Z',
    sections: { profile: { email: 'asha@example.in' } },
  });
  await user.click(dialog.getByRole('button', { name: 'Download again' }));
  expect(files).toHaveLength(2);
});

test('the data of an account with an authenticator app comes for password and code', async () => {
  const { user } = await openSecurity(<SecurityPage />, { totp: true });
  await user.click(await screen.findByRole('button', { name: 'Download your data' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Download your data' }));
  const sent = answer('post', '/profile/export', { exported_at: '2026-11-21T05:30:00Z', sections: {} });
  await user.type(dialog.getByLabelText('Password'), 'Mango#2026');
  await user.type(dialog.getByLabelText('Code'), '123 456{Enter}');
  expect(await dialog.findByText('franchise360-data.json')).toBeVisible();
  expect(sent.bodies).toEqual([{ password: 'Mango#2026', code: '123456' }]);
});

test('an erasure says what it takes and leaves, needs a yes and the password, and can be taken back', async () => {
  const { user } = await openSecurity(<SecurityPage />);
  await user.click(await screen.findByRole('button', { name: 'Erase your account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase your account' }));
  expect(dialog.getByText(String(kept[0]))).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Erase my account' }));
  expect(dialog.getByRole('link', { name: 'Please confirm that you understand' })).toBeVisible();
  expect(await accessibilityFaults(document.body)).toEqual([]);

  const scheduled = {
    state: 'scheduled',
    requested_at: '2026-11-21T05:30:00Z',
    erase_on: '2026-11-28',
    delay_days: 7,
    kept,
    owed: null as string | null,
  };
  const request = answer('post', '/profile/erasure', scheduled, 'Your account will be erased on 28 Nov 2026.');
  answer('get', '/session', signedIn({ erase_on: '2026-11-28' }));
  await user.click(dialog.getByRole('checkbox'));
  await user.type(dialog.getByLabelText('Password'), 'Mango#2026{Enter}');
  const beside = { ignore: '.toast-item *' };
  expect(await screen.findByText(/Your account will be erased on 28 Nov 2026/, beside)).toBeVisible();
  expect(request.bodies).toEqual([{ password: 'Mango#2026' }]);
  expect(getSession().eraseOn).toBe('2026-11-28');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

  answer('get', '/profile/erasure', scheduled);
  refuse('delete', '/profile/erasure', 503, { message: 'Please try again in a minute.' });
  await user.click(screen.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please try again in a minute.');
  answer('delete', '/profile/erasure', null, 'Your account will not be erased.');
  answer('get', '/session', signedIn());
  answer('get', '/profile/erasure', { ...scheduled, state: 'none', requested_at: null, erase_on: null });
  await user.click(screen.getByRole('button', { name: 'Keep my account' }));
  expect(await screen.findByRole('button', { name: 'Erase your account' })).toBeVisible();
  await waitFor(() => expect(getSession().eraseOn).toBeNull());
});

test('what we owe is said before the erasure is confirmed, and while it waits', async () => {
  const owing = { ...noErasure, owed: '₹14,749' };
  const { user } = await openSecurity(<SecurityPage />, { beside: () => answer('get', '/profile/erasure', owing) });
  await user.click(await screen.findByRole('button', { name: 'Erase your account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Erase your account' }));
  expect(dialog.getByText('We owe you ₹14,749')).toBeVisible();
  const scheduled = { ...owing, state: 'scheduled', requested_at: '2026-11-21T05:30:00Z', erase_on: '2026-11-28' };
  answer('post', '/profile/erasure', scheduled, 'Your account will be erased.');
  await user.click(dialog.getByRole('checkbox'));
  await user.type(dialog.getByLabelText('Password'), 'Mango#2026{Enter}');
  expect(
    await screen.findByText(
      /We owe you ₹14,749: your account will be erased once we have returned it, on 28 Nov 2026 at the earliest/,
    ),
  ).toBeVisible();
});
