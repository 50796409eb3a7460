import { atom, useAtom } from 'jotai';
import { useHydrated } from '@/lib/session/session';

/** Codes are valid for ten minutes; a step that waits longer starts over. */
const STEP_MS = 600_000;

/** A step that waits for an SMS code. It survives a reload, except for the proof, which is secret. */
export interface PendingCode {
  purpose: 'sign-up' | 'free-trial' | 'password';
  mobile: string;
  /** When another code may be requested, in milliseconds since 1970. */
  resendAt: number;
  startedAt: number;
  /** True while the person has returned to the form; the code they received stays valid. */
  putAside?: boolean;
  /** The proof obtained with the correct code; kept only until the page is reloaded. */
  verificationId?: string;
}

/** The sign-up form's input, kept until the account exists. */
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

/** The channel on which this browser's tabs tell each other about a pending code. Nothing sent on it is stored. */
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

/** Tells other tabs about a step: null once its code was entered, and never the proof. */
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
    // With storage blocked, the step lasts only as long as the page.
  }
}

const stateAtom = atom<PendingCode | null | undefined>(undefined);

const usedElsewhereAtom = atom(false);

/** True once a code awaited here was entered in another tab, where the step continues; reset when a new code is requested. */
export const codeUsedElsewhereAtom = atom((get) => get(usedElsewhereAtom));

/** Follows the other tabs: adopts a newer code requested there and drops a code entered there. */
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

/** The code this browser is waiting for, or null. */
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

/** The sign-up's password, kept in memory until the page is reloaded so that a code can be resent; never stored. */
export const signUpPasswordAtom = atom('');

/** The value of `pendingCodeAtom`; null while prerendered markup is being hydrated, which knows of no code. */
export function usePendingCode() {
  const [pending, setPending] = useAtom(pendingCodeAtom);
  return [useHydrated() ? pending : null, setPending] as const;
}

/** The pending step for a code that has just been sent. */
export function codeSent(purpose: PendingCode['purpose'], mobile: string, resendAfter: number): PendingCode {
  const now = Date.now();
  return { purpose, mobile, startedAt: now, resendAt: now + resendAfter * 1000 };
}
