import type { components } from '@/lib/api/schema.gen';
import { post, postFor, put } from './call';

type Schemas = components['schemas'];
export type Passkey = Schemas['StaffPasskey'];

/** Whether this browser has passkeys at all. */
export const knowsPasskeys = () => typeof PublicKeyCredential !== 'undefined' && 'credentials' in navigator;

/** Explains to the user why the browser could not create or use a passkey. */
class PasskeyError extends Error {}

const words: Record<string, string> = {
  NotAllowedError: 'Nothing was done: it was cancelled, took too long, or no passkey for this site was found.',
  AbortError: 'Nothing was done: it was cancelled.',
  InvalidStateError: 'This device has a passkey for your account already.',
  NotSupportedError: 'This device cannot make a passkey that asks you to unlock it. Try another one.',
  ConstraintError: 'This device cannot make a passkey that asks you to unlock it. Try another one.',
  SecurityError: 'Passkeys do not work at this address. Open the console under the name of the site.',
};

/** Asks the browser; its own errors become words. */
async function ask(what: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  if (!knowsPasskeys()) throw new PasskeyError('This browser has no passkeys. Use another one, or password and code.');
  try {
    const answer = await what();
    if (answer) return answer as PublicKeyCredential;
  } catch (error) {
    const name = error instanceof Error || error instanceof DOMException ? error.name : '';
    throw new PasskeyError(words[name] ?? 'The browser could not do it. Try another device, or password and code.', {
      cause: error,
    });
  }
  throw new PasskeyError(words.NotAllowedError);
}

function decode(text: string): ArrayBuffer {
  const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(raw, (letter) => letter.charCodeAt(0)).buffer;
}

function encode(buffer: ArrayBuffer | null | undefined): string {
  const raw = Array.from(new Uint8Array(buffer ?? new ArrayBuffer(0)), (byte) => String.fromCharCode(byte)).join('');
  return btoa(raw).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Options in the browser's format; older browsers cannot parse the JSON form. */
function creation(options: Schemas['PasskeyCreation']): PublicKeyCredentialCreationOptions {
  if ('parseCreationOptionsFromJSON' in PublicKeyCredential)
    return PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { challenge, user, excludeCredentials = [], ...rest } = options;
  return {
    ...rest,
    challenge: decode(challenge),
    user: { ...user, id: decode(user.id) },
    excludeCredentials: excludeCredentials.map(({ type, id }) => ({ type, id: decode(id) })),
  };
}

function request(options: Schemas['PasskeyRequest']): PublicKeyCredentialRequestOptions {
  if ('parseRequestOptionsFromJSON' in PublicKeyCredential)
    return PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return { ...options, challenge: decode(options.challenge) };
}

/** Signs in with a passkey that the browser offers. */
export async function signInByPasskey() {
  const options = await postFor('/api/support/login/passkey/begin', undefined);
  const credential = await ask(() => navigator.credentials.get({ publicKey: request(options) }));
  const response = credential.response as AuthenticatorAssertionResponse;
  return postFor('/api/support/login/passkey', {
    id: credential.id,
    client_data: encode(response.clientDataJSON),
    authenticator_data: encode(response.authenticatorData),
    signature: encode(response.signature),
    user_handle: encode(response.userHandle),
  });
}

/** Creates a passkey on the user's own device and registers it under the name. */
export async function addPasskey(name: string, proof: Schemas['StaffProof']) {
  const options = await postFor('/api/support/account/passkeys/begin', proof);
  const credential = await ask(() => navigator.credentials.create({ publicKey: creation(options) }));
  const response = credential.response as AuthenticatorAttestationResponse;
  return post('/api/support/account/passkeys', {
    name,
    id: credential.id,
    client_data: encode(response.clientDataJSON),
    attestation: encode(response.attestationObject),
    transports: 'getTransports' in response ? response.getTransports() : [],
  });
}

export const renamePasskey = (id: string, name: string) => put('/api/support/account/passkeys/{id}', { name }, { id });
export const removePasskey = (id: string, password: string) =>
  post('/api/support/account/passkeys/{id}/remove', { current_password: password }, { id });
