import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { endSession } from '@/lib/session/session';
import { toastsAtom } from '@/lib/toast';
import { server } from './server';

/** What every test file with a document begins and ends with; a worker runs one file after the other in the same document. */
export function setUpDocument(): void {
  // A busy machine is slow, not wrong.
  configure({ asyncUtilTimeout: 5000 });

  beforeAll(() => {
    server.listen({ onUnhandledRequest: 'error' });
    window.scrollTo = () => undefined;
    // jsdom draws nothing; axe only asks whether it could.
    HTMLCanvasElement.prototype.getContext = () => null;
    Element.prototype.scrollIntoView = () => undefined;
    window.matchMedia ??= (media) =>
      Object.assign(new EventTarget(), {
        media,
        matches: false,
        onchange: null,
        addListener: () => undefined,
        removeListener: () => undefined,
      });
  });

  afterEach(() => {
    cleanup();
    server.resetHandlers();
    endSession();
    getDefaultStore().set(toastsAtom, []);
    localStorage.clear();
    sessionStorage.clear();
  });

  afterAll(() => server.close());
}
