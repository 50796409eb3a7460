import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { endSession } from '@/lib/session/session';
import { toastTime, toastsAtom } from '@/lib/toast';
import { server } from './server';

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
    cleanup();
    server.resetHandlers();
    endSession();
    getDefaultStore().set(toastsAtom, []);
    localStorage.clear();
    sessionStorage.clear();
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
