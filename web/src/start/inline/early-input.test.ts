import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { windowListeners } from './listeners.fixture';

const root = document.documentElement;
const taken = () => {
  root.setAttribute('data-hydrated', '');
  document.dispatchEvent(new Event('hydrated'));
};

/** A click as a person makes it, which no script can make; says whether it was kept. */
function press(target: Element): boolean {
  const kept = vi.fn();
  const event = { target, isTrusted: true, preventDefault: kept, stopPropagation: () => undefined };
  const [, listener] = added.find(([name]) => name === 'click') ?? [];
  if (typeof listener === 'function') listener(event as never);
  return kept.mock.calls.length > 0;
}

function draw(html: string): void {
  document.body.innerHTML = html;
}
const find = <T extends Element>(selector: string) => document.querySelector(selector) as T;

const { added, record } = windowListeners();

beforeEach(async () => {
  root.removeAttribute('data-hydrated');
  record();
  vi.resetModules();
  await import('./early-input');
});
afterEach(() => {
  vi.restoreAllMocks();
  document.body.innerHTML = '';
  root.removeAttribute('data-hydrated');
  root.removeAttribute('data-waiting');
});

test('a press before the scripts are there is kept and done again, in order', () => {
  draw('<button id="a">A</button><button id="b"><span>B</span></button>');
  const done: string[] = [];
  const kept = press(find('#a'));
  press(find('#b span'));
  expect(kept).toBe(true);
  expect(root).toHaveAttribute('data-waiting');
  for (const id of ['a', 'b']) find(`#${id}`).addEventListener('click', () => done.push(id));
  taken();
  expect(done).toEqual(['a', 'b']);
  expect(root).not.toHaveAttribute('data-waiting');
});

test('replays a recorded click once', () => {
  draw('<button>A</button>');
  press(find('button'));
  const handle = vi.fn();
  find('button').addEventListener('click', handle);
  taken();
  document.dispatchEvent(new Event('hydrated'));
  expect(handle).toHaveBeenCalledTimes(1);
});

test('a link is followed at once', () => {
  draw('<a href="#prices">Prices</a>');
  expect(press(find('a'))).toBe(false);
  expect(root).not.toHaveAttribute('data-waiting');
});

test('nothing is kept once the page works', () => {
  draw('<button>A</button>');
  taken();
  expect(press(find('button'))).toBe(false);
});

test('a form is not submitted before hydration, which would put its values into the address', () => {
  draw('<form><input name="q" value="x"></form>');
  const event = new SubmitEvent('submit', { bubbles: true, cancelable: true });
  find('form').dispatchEvent(event);
  expect(event.defaultPrevented).toBe(true);
  const again = vi.spyOn(HTMLFormElement.prototype, 'requestSubmit').mockImplementation(() => undefined);
  taken();
  expect(again).toHaveBeenCalledTimes(1);
});

test.each(['<input>', '<textarea></textarea>'])('what is typed into %s is typed again, as it stood last', (html) => {
  draw(html);
  const field = find<HTMLInputElement>('input, textarea');
  for (const text of ['P', 'Pu']) {
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const heard: string[] = [];
  field.addEventListener('input', () => heard.push(field.value));
  // React draws its own value when it takes the field over.
  field.value = '';
  taken();
  expect(heard).toEqual(['Pu']);
});

test('a box that was ticked stays ticked, and the page hears of it', () => {
  draw('<input type="checkbox">');
  const box = find<HTMLInputElement>('input');
  box.checked = true;
  box.dispatchEvent(new Event('change', { bubbles: true }));
  box.dispatchEvent(new Event('input', { bubbles: true }));
  const heard: boolean[] = [];
  box.addEventListener('click', () => heard.push(box.checked));
  taken();
  expect(heard).toEqual([true]);
  expect(box.checked).toBe(true);
});
