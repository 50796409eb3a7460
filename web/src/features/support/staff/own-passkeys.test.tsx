import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { SupportLoginPage } from './login-page';
import { OwnAccountPage } from './own-account-page';
const bytes = (text: string) => new TextEncoder().encode(text).buffer;
const laptop = {
  id: 'k1',
  name: 'Work laptop',
  synced: false,
  created_at: '2026-11-02T05:30:00Z',
  last_used_at: '2026-11-20T05:30:00Z',
};
const creation = {
  rp: { name: 'Franchise 360 staff', id: 'site.test' },
  user: { name: 'sunita@example.in', displayName: 'Sunita', id: 'c3VuaXRh' },
  challenge: '_-8',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [{ type: 'public-key', id: 'a25vd24', transports: ['internal'] }],
  authenticatorSelection: { requireResidentKey: true, residentKey: 'required', userVerification: 'required' },
  attestation: 'none',
} as const;
const request = { challenge: '_-8', timeout: 300_000, rpId: 'site.test', userVerification: 'required' };
const made = {
  id: 'bmV3',
  response: {
    clientDataJSON: bytes('created'),
    attestationObject: new Uint8Array([0xff, 0xfe, 0xfd]).buffer,
    getTransports: () => ['internal', 'hybrid'],
  },
};
const used = {
  id: 'bmV3',
  response: {
    clientDataJSON: bytes('got'),
    authenticatorData: bytes('data'),
    signature: bytes('signed'),
    userHandle: bytes('sunita'),
  },
};

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
});

/** A browser with passkeys that returns the given answer; `native` adds the JSON parsers for options. */
function browser(answer: () => unknown, native = false) {
  const credentials = { create: vi.fn(answer), get: vi.fn(answer) };
  const read = (of: object) => ({ ...of, read: true });
  vi.stubGlobal(
    'PublicKeyCredential',
    native ? { parseCreationOptionsFromJSON: read, parseRequestOptionsFromJSON: read } : {},
  );
  Object.defineProperty(navigator, 'credentials', { value: credentials, configurable: true });
  return credentials;
}

const rejects = (name: string) => () => Promise.reject(new DOMException('as browsers say', name));

function account(passkeys: object[] = []) {
  const bodies: [string, unknown][] = [];
  const list = [...passkeys];
  const take =
    <Data,>(data: Data, message: string, then?: () => void) =>
    async ({ request: of }: { request: Request }) => {
      bodies.push([`${of.method} ${new URL(of.url).pathname}`, await of.json()]);
      then?.();
      return ok(data, message);
    };
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'support' })),
    mock.get('/api/support/account', () => ok({ sessions: [], sign_ins: [], passkeys: list })),
    mock.post('/api/support/account/passkeys/begin', take(creation, '')),
    mock.post(
      '/api/support/account/passkeys',
      take(null, 'The passkey is added.', () => list.push({ ...laptop, id: 'k2', name: 'Phone', last_used_at: null })),
    ),
    mock.put('/api/support/account/passkeys/k1', take(null, 'The passkey is renamed.')),
    mock.post(
      '/api/support/account/passkeys/k1/remove',
      take(null, 'The passkey is removed.', () => list.splice(0)),
    ),
  );
  return { bodies, ...renderRoutes(<OwnAccountPage />) };
}

async function add({ user }: ReturnType<typeof account>) {
  await user.click(await screen.findByRole('button', { name: 'Add a passkey' }));
  await user.type(screen.getByLabelText('Name, such as that of the device'), 'Phone');
  const form = screen.getByRole('form', { name: 'Make the passkey' });
  await user.type(within(form).getByLabelText('Current password'), 'Mangoes#2027');
  await user.type(within(form).getByLabelText('Current code of your authenticator app'), '123 456');
  await user.click(within(form).getByRole('button', { name: 'Make the passkey' }));
}

test('a member makes a passkey with password and code, in a browser that reads no options by itself', async () => {
  const { create } = browser(() => Promise.resolve(made));
  const page = account();
  await screen.findByText('There are no passkeys.');
  await add(page);
  await screen.findByText('Phone');
  expect(page.bodies).toEqual([
    ['POST /api/support/account/passkeys/begin', { current_password: 'Mangoes#2027', current_code: '123456' }],
    [
      'POST /api/support/account/passkeys',
      { name: 'Phone', id: 'bmV3', client_data: 'Y3JlYXRlZA', attestation: '__79', transports: ['internal', 'hybrid'] },
    ],
  ]);
  const { publicKey } = create.mock.calls.at(-1)?.at(0) as unknown as CredentialCreationOptions;
  expect(new Uint8Array(publicKey?.challenge as ArrayBuffer)).toEqual(new Uint8Array([0xff, 0xef]));
  expect(new Uint8Array(publicKey?.user.id as ArrayBuffer)).toEqual(new Uint8Array(bytes('sunita')));
  expect(new Uint8Array(publicKey?.excludeCredentials?.[0]?.id as ArrayBuffer)).toEqual(new Uint8Array(bytes('known')));
  expect(publicKey?.authenticatorSelection?.userVerification).toBe('required');
  expect(screen.queryByRole('form', { name: 'Make the passkey' })).not.toBeInTheDocument();
});

test('a browser that reads the options by itself is given them as they came', async () => {
  const { create } = browser(() => Promise.resolve(made), true);
  const page = account();
  await add(page);
  await screen.findByText('Phone');
  expect(create).toHaveBeenCalledWith({ publicKey: { ...creation, read: true } });
});

test.each([
  ['NotAllowedError', /Nothing was done: it was cancelled/],
  ['InvalidStateError', /This device has a passkey for your account already/],
  ['NotSupportedError', /cannot make a passkey that asks you to unlock it/],
  ['SecurityError', /Passkeys do not work at this address/],
  ['UnknownError', /The browser could not do it/],
])('a %s of the browser is told in words, and nothing is sent', async (name, words) => {
  browser(rejects(name));
  const page = account();
  await add(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(words);
  expect(page.bodies.map(([call]) => call)).toEqual(['POST /api/support/account/passkeys/begin']);
});

test('shows a wrong password before it calls the browser', async () => {
  const { create } = browser(() => Promise.resolve(made));
  const page = account();
  server.use(
    mock.post('/api/support/account/passkeys/begin', () =>
      refused(422, { code: 'validation_failed', messages: { current_password: ['This is not your password.'] } }),
    ),
  );
  await add(page);
  expect(await screen.findByRole('alert')).toHaveTextContent('This is not your password.');
  expect(create).not.toHaveBeenCalled();
});

test('a passkey is renamed and removed, by the password', async () => {
  browser(() => Promise.resolve(made));
  const { user, bodies, container } = account([laptop]);
  expect(await screen.findByRole('list', { name: 'Passkeys' })).toHaveTextContent(/Work laptop, added .*, last used /);
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Rename the passkey Work laptop' }));
  let dialog = await screen.findByRole('dialog', { name: 'Rename the passkey Work laptop' });
  await user.clear(within(dialog).getByLabelText('New name'));
  await user.type(within(dialog).getByLabelText('New name'), 'Old laptop');
  await user.click(within(dialog).getByRole('button', { name: 'Save the name' }));
  await waitFor(() => expect(bodies.at(-1)).toEqual(['PUT /api/support/account/passkeys/k1', { name: 'Old laptop' }]));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

  await user.click(screen.getByRole('button', { name: 'Remove the passkey Work laptop' }));
  dialog = await screen.findByRole('dialog', { name: 'Remove the passkey Work laptop' });
  await user.type(within(dialog).getByLabelText('Current password'), 'Mangoes#2027');
  await user.click(within(dialog).getByRole('button', { name: 'Remove it' }));
  expect(await screen.findByText('There are no passkeys.')).toBeVisible();
  expect(bodies.at(-1)).toEqual(['POST /api/support/account/passkeys/k1/remove', { current_password: 'Mangoes#2027' }]);
});

test('a browser without passkeys says so, and offers none at the sign-in', async () => {
  const { unmount } = account([laptop]);
  expect(await screen.findByText('This browser has no passkeys. Add one with another browser.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add a passkey' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Remove the passkey Work laptop' })).toBeVisible();
  unmount();
  renderRoutes([{ path: '/support/login', element: <SupportLoginPage /> }]);
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).not.toBeInTheDocument();
});

function door() {
  const bodies: unknown[] = [];
  server.use(
    mock.post('/api/support/login/passkey/begin', () => ok(request)),
    mock.post('/api/support/login/passkey', async ({ request: of }) => {
      bodies.push(await of.json());
      return ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role: 'support' });
    }),
  );
  return {
    bodies,
    ...renderRoutes([{ path: '/support/login', element: <SupportLoginPage /> }], {
      at: '/support/login?next=%2Fsupport%2Fjobs',
    }),
  };
}

test.each([false, true])('a passkey signs in and leads on (options read by the browser: %s)', async (native) => {
  const { get } = browser(() => Promise.resolve(used), native);
  const { user, bodies, container } = door();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  expect(await screen.findByTestId('address')).toHaveTextContent('/support/jobs');
  expect(bodies).toEqual([
    { id: 'bmV3', client_data: 'Z290', authenticator_data: 'ZGF0YQ', signature: 'c2lnbmVk', user_handle: 'c3VuaXRh' },
  ]);
  const { publicKey } = get.mock.calls.at(-1)?.at(0) as unknown as CredentialRequestOptions;
  if (native) expect(publicKey).toEqual({ ...request, read: true });
  else expect(new Uint8Array(publicKey?.challenge as ArrayBuffer)).toEqual(new Uint8Array([0xff, 0xef]));
});

test('a sign-in that is cancelled or refused is told, and the password goes on', async () => {
  const credentials = browser(rejects('NotAllowedError'));
  const { user } = door();
  await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(/Nothing was done: it was cancelled/);
  credentials.get.mockImplementation(() => Promise.resolve(used));
  server.use(
    mock.post('/api/support/login/passkey', () =>
      refused(400, {
        code: 'passkey_refused',
        message: 'This passkey does not sign you in here. Sign in with password and code.',
      }),
    ),
  );
  await user.click(screen.getByRole('button', { name: 'Use a passkey' }));
  await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('This passkey does not sign you in here.'));
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeVisible();
});
