import { atom, getDefaultStore } from 'jotai';

export type ToastKind = 'success' | 'error' | 'warn' | 'info';

export interface Toast {
  id: number;
  kind: ToastKind;
  message: string;
  leaving: boolean;
}

/** How long a toast stays, in milliseconds. */
export const TOAST_MS = 4000;
/** An object, because the unit tests keep toasts longer: on a busy machine, four seconds are over before a test looks. */
export const toastTime = { ms: TOAST_MS };
/** How long its exit animation takes, in milliseconds. */
const TOAST_EXIT_MS = 300;

/** The toasts on screen, oldest first. */
export const toastsAtom = atom<Toast[]>([]);

let lastId = 0;

function remove(id: number): void {
  getDefaultStore().set(toastsAtom, (toasts) => toasts.filter((toast) => toast.id !== id));
}

/** Closes a toast at once, as its close button does. */
export function dismissToast(id: number): void {
  getDefaultStore().set(toastsAtom, (toasts) =>
    toasts.map((toast) => (toast.id === id ? { ...toast, leaving: true } : toast)),
  );
  setTimeout(() => remove(id), TOAST_EXIT_MS);
}

/** Removes the toasts with a message that the screen shows by now. */
export function withdrawToast(message: string): void {
  getDefaultStore().set(toastsAtom, (toasts) => toasts.filter((toast) => toast.message !== message));
}

function show(kind: ToastKind, message: string): void {
  const store = getDefaultStore();
  const shown = store
    .get(toastsAtom)
    .some((toast) => toast.kind === kind && toast.message === message && !toast.leaving);
  if (shown || !message) return;
  lastId += 1;
  const id = lastId;
  store.set(toastsAtom, (toasts) => [...toasts, { id, kind, message, leaving: false }]);
  setTimeout(() => dismissToast(id), toastTime.ms);
}

/** Shows a short message for four seconds. A failure that the screen shows has no toast. */
export const toast = {
  success: (message: string) => show('success', message),
  error: (message: string) => show('error', message),
  warn: (message: string) => show('warn', message),
  info: (message: string) => show('info', message),
};
