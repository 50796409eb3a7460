import { atom, useAtom } from 'jotai';

/** Codes live ten minutes; a step that waits longer starts over. */
const STEP_MS = 600_000;

/** A step that waits for a code by SMS. It survives a reload, but for the proof, which is a secret. */
export interface PendingCode {
  purpose: 'sign-up' | 'free-trial' | 'password';
  mobile: string;
  /** When another code may be asked for, in milliseconds since 1970. */
  resendAt: number;
  startedAt: number;
  /** True while the person has gone back to the form; the code in their SMS is still good. */
  putAside?: boolean;
  /** The right code's proof, once the code was given; while the page lives only. */
  verificationId?: string;
}

/** What was typed into the sign-up, kept until the account stands. */
export const SIGN_UP_DRAFT = 'sign-up';

const KEY = 'franchise360-code';

function read(): PendingCode | null {
  if (typeof sessionStorage === 'undefined') return null;
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as PendingCode | null;
    if (!stored || typeof stored.mobile !== 'string' || Date.now() - stored.startedAt > STEP_MS) return null;
    return stored;
  } catch {
    return null;
  }
}

const stateAtom = atom<PendingCode | null | undefined>(undefined);

/** The code that is awaited in this tab; null where none is. */
export const pendingCodeAtom = atom(
  (get) => {
    const held = get(stateAtom);
    return held === undefined ? read() : held;
  },
  (_get, set, next: PendingCode | null) => {
    set(stateAtom, next);
    try {
      if (next) sessionStorage.setItem(KEY, JSON.stringify({ ...next, verificationId: undefined }));
      else sessionStorage.removeItem(KEY);
    } catch {
      // With storage blocked the step lives as long as the page.
    }
  },
);

/** The sign-up's password while the page lives, so that a code can be sent again; never stored. */
export const signUpPasswordAtom = atom('');

export function usePendingCode() {
  return useAtom(pendingCodeAtom);
}

/** The pending step for a code that was just sent. */
export function codeSent(purpose: PendingCode['purpose'], mobile: string, resendAfter: number): PendingCode {
  const now = Date.now();
  return { purpose, mobile, startedAt: now, resendAt: now + resendAfter * 1000 };
}
