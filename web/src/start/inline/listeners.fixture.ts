import { afterEach, vi } from 'vitest';

type Listening = [
  name: string,
  listener: EventListenerOrEventListenerObject,
  options?: boolean | AddEventListenerOptions,
];

/** What an inline script listens to on the window, from `record` on; all of it ends with each test. */
export function windowListeners() {
  const added: Listening[] = [];
  afterEach(() => {
    for (const [name, listener, options] of added.splice(0)) window.removeEventListener(name, listener, options);
  });
  const record = () => {
    const add = window.addEventListener.bind(window);
    vi.spyOn(window, 'addEventListener').mockImplementation((...listening: Listening) => {
      added.push(listening);
      add(...listening);
    });
  };
  return { added, record };
}
