import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { windowListeners } from './listeners.fixture';

const root = document.documentElement;
const { record } = windowListeners();
let told: (() => void) | undefined;

class Observer {
  constructor(callback: (list: { getEntriesByName: () => unknown[] }) => void) {
    told = () => callback({ getEntriesByName: () => [{}] });
  }
  observe() {}
}

/** Runs the script as in a page that names these files. */
async function start(files = '/assets/react.js /assets/start.js /assets/index.js'): Promise<void> {
  const script = document.createElement('script');
  script.dataset.files = files;
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  record();
  vi.resetModules();
  await import('./late-scripts');
}
const parsed = () => window.dispatchEvent(new Event('DOMContentLoaded'));
const asked = () =>
  [...document.head.querySelectorAll('link[rel=modulepreload], script[type=module]')].map(
    (one) => one.getAttribute('href') ?? one.getAttribute('src'),
  );
const laidOut = () =>
  [...document.querySelectorAll<HTMLElement>('.site-section')].map(
    (one) =>
      one.style.getPropertyValue('content-visibility') ||
      (one.style as { contentVisibility?: string }).contentVisibility,
  );

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('PerformanceObserver', Observer);
  told = undefined;
  document.head.innerHTML = '';
  document.body.innerHTML = '<div class="site-section"></div><div class="site-section"></div>';
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  root.removeAttribute('data-first-look');
});

test('the scripts are asked for once the page is painted, the entry last, and once', async () => {
  await start();
  parsed();
  expect(asked()).toEqual([]);
  told?.();
  expect(asked()).toEqual(['/assets/react.js', '/assets/start.js', '/assets/index.js']);
  told?.();
  vi.advanceTimersByTime(2000);
  expect(asked()).toHaveLength(3);
});

test('a paint that nobody tells of is not waited for', async () => {
  await start();
  parsed();
  vi.advanceTimersByTime(1499);
  expect(asked()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(asked()).toHaveLength(3);
});

test('a page in a tab behind, which is not painted, asks at once', async () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await start('/assets/index.js');
  parsed();
  expect(asked()).toEqual(['/assets/index.js']);
});

test('a browser that cannot tell of paints asks at once', async () => {
  vi.stubGlobal('PerformanceObserver', undefined);
  await start('/assets/index.js');
  parsed();
  expect(asked()).toEqual(['/assets/index.js']);
});

test('what lies far below is laid out when somebody reads on, one section after the other', async () => {
  await start();
  document.dispatchEvent(new Event('hydrated'));
  expect(root).toHaveAttribute('data-first-look');
  expect(laidOut().filter(Boolean)).toEqual([]);
  window.dispatchEvent(new Event('wheel'));
  expect(laidOut().filter(Boolean)).toEqual(['visible']);
  vi.advanceTimersByTime(50);
  expect(laidOut().filter(Boolean)).toEqual(['visible', 'visible']);
  vi.advanceTimersByTime(50);
  expect(root).not.toHaveAttribute('data-first-look');
});
