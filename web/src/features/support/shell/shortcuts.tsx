import { atom, useAtom } from 'jotai';
import { useEffect } from 'react';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Modal } from '@/ui/modal';
import { desks } from './desks';

const KEY = 'franchise360-console-keys';

function read(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

const enabledAtom = atom(true);
enabledAtom.onMount = (set) => set(read());

/** Whether single-key shortcuts are on, remembered on this device. Keys with Ctrl, arrows and Enter always work. */
export function useShortcuts(): { enabled: boolean; setEnabled: (enabled: boolean) => void } {
  const [enabled, set] = useAtom(enabledAtom);
  const setEnabled = (next: boolean) => {
    set(next);
    try {
      localStorage.setItem(KEY, next ? 'on' : 'off');
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
  };
  return { enabled, setEnabled };
}

/** Whether keystrokes enter text at the target. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('select, textarea, input:not([type=checkbox], [type=radio])'))
  );
}

/** "?" also works in the empty search box, which has the focus when the console opens; a question mark is not a useful search. */
const asksForHelp = ({ key, target }: KeyboardEvent) =>
  key === '?' && target instanceof HTMLInputElement && target.role === 'combobox' && target.value === '';

/** Handles single keys on the whole page, except while the user types or a dialog is open. */
export function usePageKeys(keys: Record<string, () => void>): void {
  const { enabled } = useShortcuts();
  useEffect(() => {
    if (!enabled) return undefined;
    const listen = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (
        !act ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (isTyping(event.target) && !asksForHelp(event)) ||
        document.querySelector('[role=dialog]')
      )
        return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [enabled, keys]);
}

const goTo: [keys: string[], does: string][] = desks.flatMap(({ places: pages }) =>
  pages.flatMap(({ go, label }) => (go ? [[['g', go], label] as [string[], string]] : [])),
);

const places: [title: string, keys: [keys: string[], does: string][]][] = [
  [
    'Everywhere',
    [
      [['/'], 'Search, or jump to a page or act'],
      [['Ctrl', 'K'], 'The same'],
      [['Esc'], 'Leave the search, to use the keys below'],
      [['?'], 'These keys'],
    ],
  ],
  ['Pages, one key after the other', goTo],
  [
    'In a list',
    [
      [['j'], 'First or next row'],
      [['k'], 'Previous row'],
      [['Enter'], 'Open'],
    ],
  ],
  [
    'On a customer',
    [
      [['h'], 'Go to the help actions'],
      [['t'], 'Go to the timeline'],
      [['n'], 'Write a note'],
      [['f'], 'Failed jobs of this customer'],
    ],
  ],
  [
    'On an entry of the timeline',
    [
      [['j'], 'Next'],
      [['k'], 'Previous'],
      [['Enter'], 'Open or close'],
    ],
  ],
  [
    'On a row of failed jobs',
    [
      [['j'], 'Next'],
      [['k'], 'Previous'],
      [['x'], 'Choose'],
      [['a'], 'Choose all that match'],
      [['Enter'], 'Open'],
      [['r'], 'Rerun'],
      [['s'], 'Snooze'],
      [['d'], 'Dismiss'],
      [['c'], 'Cancel'],
    ],
  ],
  [
    'Where a reason is asked for',
    [
      [['↓'], 'Next suggestion'],
      [['↑'], 'Previous suggestion'],
      [['Enter'], 'Do it'],
      [['Esc'], 'Leave it'],
    ],
  ],
];

/** Lists the shortcuts, and turns single keys off. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { enabled, setEnabled } = useShortcuts();
  return (
    <Modal open size="lg" title="Keys" onClose={onClose}>
      <div className="console-keys">
        {places.map(([title, keys]) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([combination, does]) => (
                <div key={combination.join()}>
                  <dt>
                    {combination.map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <CheckboxField
        box="console-switch"
        label="Single-key shortcuts on this device"
        checked={enabled}
        onChange={setEnabled}
      />
    </Modal>
  );
}
