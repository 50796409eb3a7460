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

/** The channel on which this browser's tabs tell each other of a code that is awaited. Nothing of it is stored. */
export const CODE_CHANNEL = 'franchise360-code';
const ASK = 'ask';

let channel: BroadcastChannel | null = null;

const purposes: readonly unknown[] = ['sign-up', 'free-trial', 'password'];

function isStep(value: unknown): value is PendingCode {
  if (typeof value !== 'object' || value === null) return false;
  const { purpose, mobile, resendAt, startedAt } = value as Partial<PendingCode>;
  return (
    purposes.includes(purpose) &&
    typeof mobile === 'string' &&
    typeof resendAt === 'number' &&
    typeof startedAt === 'number' &&
    Date.now() - startedAt <= STEP_MS
  );
}

/** What other tabs may know of a step: nothing once its code was given, and never the proof. */
function tell(step: PendingCode | null): void {
  const waits = step && !step.verificationId;
  channel?.postMessage(
    waits ? { purpose: step.purpose, mobile: step.mobile, resendAt: step.resendAt, startedAt: step.startedAt } : null,
  );
}

function store(step: PendingCode | null): void {
  try {
    if (step) sessionStorage.setItem(KEY, JSON.stringify({ ...step, verificationId: undefined }));
    else sessionStorage.removeItem(KEY);
  } catch {
    // With storage blocked the step lives as long as the page.
  }
}

const stateAtom = atom<PendingCode | null | undefined>(undefined);

const usedElsewhereAtom = atom(false);

/** True once a code that was awaited here was entered in another tab, where the step goes on; until one is awaited again. */
export const codeUsedElsewhereAtom = atom((get) => get(usedElsewhereAtom));

/** Follows the other tabs: a newer code that was asked for there is awaited here too, and one that was given there is not. */
const followedAtom = atom(
  (get) => get(stateAtom),
  (get, set, heard: unknown) => {
    const held = get(stateAtom);
    const own = held === undefined ? read() : held;
    if (heard === ASK) {
      if (own && !own.verificationId) tell(own);
      return;
    }
    const over = heard === null && own && !own.verificationId;
    if (!over && !(isStep(heard) && heard.startedAt > (own?.startedAt ?? 0))) return;
    const next = over ? null : (heard as PendingCode);
    set(stateAtom, next);
    set(usedElsewhereAtom, Boolean(over));
    store(next);
  },
);
followedAtom.onMount = (hear) => {
  if (typeof BroadcastChannel === 'undefined') return undefined;
  channel = new BroadcastChannel(CODE_CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => hear(data);
  channel.postMessage(ASK);
  return () => {
    channel?.close();
    channel = null;
  };
};

/** The code that is awaited by this browser; null where none is. */
export const pendingCodeAtom = atom(
  (get) => {
    const held = get(followedAtom);
    return held === undefined ? read() : held;
  },
  (_get, set, next: PendingCode | null) => {
    set(stateAtom, next);
    set(usedElsewhereAtom, false);
    store(next);
    tell(next);
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
