import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { endSession } from '@/lib/session/session';
import { toastTime, toastsAtom } from '@/lib/toast';
import { server } from './server';

/** The specification wants this both in the form and as a toast. */
const SPECIFIED = 'Please agree to terms & conditions';

/** The failures that a toast tells although an alert on the screen does. */
function toldTwice(): string[] {
  const alerts = [...document.querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent);
  return getDefaultStore()
    .get(toastsAtom)
    .map(({ message }) => message)
    .filter((message) => message !== SPECIFIED && alerts.some((alert) => alert.includes(message)));
}

/** Set-up and clean-up of every test file with a document; a worker runs one file after another in the same document. */
export function setUpDocument(): void {
  // As in vitest.config.ts.
  configure({ asyncUtilTimeout: process.env.PATIENT ? 120_000 : 4000 });

  beforeAll(() => {
    server.listen({ onUnhandledRequest: 'error' });
    window.scrollTo = () => undefined;
    // jsdom renders nothing; axe only checks whether it could.
    HTMLCanvasElement.prototype.getContext = () => null;
    Element.prototype.scrollIntoView = () => undefined;
    window.matchMedia = (media) =>
      Object.assign(new EventTarget(), {
        media,
        matches: false,
        onchange: null,
        addListener: () => undefined,
        removeListener: () => undefined,
      });
  });

  beforeEach(() => {
    toastTime.ms = 600_000;
  });

  afterEach(() => {
    const twice = toldTwice();
    cleanup();
    server.resetHandlers();
    endSession();
    getDefaultStore().set(toastsAtom, []);
    localStorage.clear();
    sessionStorage.clear();
    expect(twice, 'failures shown both on the screen and as a toast').toEqual([]);
  });

  afterAll(async () => {
    server.close();
    // The document goes with the file; what React has scheduled still needs it, and would fail the run without it.
    vi.useRealTimers();
    await new Promise((done) => {
      setTimeout(done, 5);
    });
    // Wait for modules that are still loading: an interrupted import stays broken for all later files of the worker.
    await vi.dynamicImportSettled();
  });
}
