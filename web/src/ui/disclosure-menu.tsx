import ChevronIcon from 'bootstrap-icons/icons/chevron-down.svg?component';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { useLocation } from 'react-router';

export interface DisclosureMenuProps {
  label: ReactNode;
  /** Aligns the menu with the end of the bar. */
  alignEnd?: boolean;
  /** List items with links or buttons. */
  children: ReactNode;
}

const entriesOf = (panel: HTMLElement | null) => [...(panel?.querySelectorAll<HTMLElement>('a, button') ?? [])];

function focusEntry(panel: HTMLElement | null, index: number) {
  entriesOf(panel).at(index)?.focus();
}

/** The next or previous entry from the focused one; wraps around. */
function nextEntry(panel: HTMLElement | null, way: number): number {
  const entries = entriesOf(panel);
  const at = entries.findIndex((one) => one === document.activeElement);
  if (at < 0) return way > 0 ? 0 : -1;
  return (at + way + entries.length) % entries.length;
}

/** The arrow keys of a list: they open it, and move between its entries. */
function useArrows(open: boolean, show: () => void) {
  const panel = useRef<HTMLUListElement>(null);
  const chosen = useRef(0);
  useEffect(() => {
    // What the arrow keys chose can take the focus only once the list is shown.
    if (open && chosen.current !== 0) focusEntry(panel.current, chosen.current > 0 ? 0 : -1);
    chosen.current = 0;
  }, [open]);
  const move = (event: KeyboardEvent) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    if (open) focusEntry(panel.current, nextEntry(panel.current, way));
    else {
      chosen.current = way;
      show();
    }
  };
  return { panel, move };
}

/**
 * A button that shows a list of links and buttons; Esc, a click outside, tabbing out and following a link close it, the arrow keys open it
 * and move between its entries.
 */
export function DisclosureMenu({ label, alignEnd, children }: DisclosureMenuProps) {
  const [open, setOpen] = useState(false);
  const panelId = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { key } = useLocation();

  useEffect(() => setOpen(false), [key]);
  useEffect(() => {
    if (!open) return undefined;
    const handlePointer = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', handlePointer);
    document.addEventListener('focusin', handlePointer);
    return () => {
      document.removeEventListener('pointerdown', handlePointer);
      document.removeEventListener('focusin', handlePointer);
    };
  }, [open]);

  const { panel, move } = useArrows(open, () => setOpen(true));

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      setOpen(false);
      button.current?.focus();
    } else move(event);
  };

  // The dialog that a pressed entry opens closes the list, and later returns the focus to what had it: the entry is hidden then.
  const handleClick = ({ target }: MouseEvent) => {
    const entry = target instanceof Element && target.closest('button');
    if (entry && panel.current?.contains(entry)) button.current?.focus();
  };

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- Esc inside the panel closes it; the control is the button.
    <div className="nav-item" ref={root} onKeyDown={handleKeyDown} onClick={handleClick}>
      <button
        ref={button}
        type="button"
        className="nav-entry"
        aria-expanded={open}
        aria-controls={panelId}
        onClick={() => setOpen(!open)}
      >
        {label}
        <ChevronIcon className="chevron" />
      </button>
      <ul ref={panel} id={panelId} className={`nav-panel ${alignEnd ? 'nav-panel-end' : ''}`} hidden={!open}>
        {children}
      </ul>
    </div>
  );
}
