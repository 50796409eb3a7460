/** Keeps what people press and type before the page's scripts have arrived, and does it again once they have. */
type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const root = document.documentElement;
let presses: (() => void)[] = [];
let typed: { field: () => Typed; value: string }[] = [];

const early = () => !root.hasAttribute('data-hydrated');
const isTick = (field: EventTarget | null): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');
const isTyped = (field: EventTarget | null): field is Typed =>
  (field instanceof HTMLInputElement && !isTick(field)) ||
  field instanceof HTMLTextAreaElement ||
  field instanceof HTMLSelectElement;

function keep(event: Event, act: () => void): void {
  event.preventDefault();
  event.stopPropagation();
  presses.push(act);
  root.setAttribute('data-waiting', '');
}

/**
 * Finds an element again. If the markup was rendered from scratch instead of hydrated, returns the element with the same tag, name and
 * index.
 */
function finder<E extends Element>(element: E): () => E {
  const name = element.getAttribute('name');
  const alike = () => [
    ...document.querySelectorAll<E>(element.localName + (name ? `[name="${CSS.escape(name)}"]` : '')),
  ];
  const place = alike().indexOf(element);
  return () => (element.isConnected ? element : (alike()[place] ?? element));
}

function handleClick(event: MouseEvent): void {
  if (!early() || !event.isTrusted || !(event.target instanceof Element)) return;
  const button = event.target.closest('button');
  if (!button) return;
  const found = finder(button);
  keep(event, () => found().click());
}

/** A checkbox changes immediately; the page's scripts later receive a replayed click that ends in the chosen state. */
function handleChange({ target: box }: Event): void {
  if (!early() || !isTick(box)) return;
  const chosen = box.checked;
  const found = finder(box);
  presses.push(() => {
    found().checked = !chosen;
    found().click();
  });
}

/** A native submit would put the typed values into the URL. */
function handleSubmit(event: SubmitEvent): void {
  const form = event.target;
  if (!early() || !(form instanceof HTMLFormElement)) return;
  const found = finder(form);
  keep(event, () => found().requestSubmit());
}

function handleInput({ target: field }: Event): void {
  if (!early() || !isTyped(field)) return;
  typed = typed.filter((entry) => entry.field() !== field);
  typed.push({ field: finder(field), value: field.value });
}

/** Emptied first, as React's own record of the value has it, so that the change is one. */
function typeAgain({ field: found, value }: { field: () => Typed; value: string }): void {
  const field = found();
  const write = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
  field.value = '';
  write?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

addEventListener('click', handleClick, true);
addEventListener('change', handleChange, true);
addEventListener('submit', handleSubmit, true);
addEventListener('input', handleInput, true);
document.addEventListener('hydrated', () => {
  typed.forEach(typeAgain);
  presses.forEach((act) => act());
  typed = [];
  presses = [];
  root.removeAttribute('data-waiting');
});

export {};
