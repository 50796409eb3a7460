import ChevronIcon from 'bootstrap-icons/icons/chevron-down.svg?component';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'react-router';

export interface DisclosureMenuProps {
  label: ReactNode;
  /** Aligns the menu with the end of the bar. */
  alignEnd?: boolean;
  /** List items with links or buttons. */
  children: ReactNode;
}

/** A button that shows a list of links; Esc, a click outside, tabbing out and following a link close it. */
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

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    button.current?.focus();
  };

  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- Esc inside the panel closes it; the control is the button.
    <div className="nav-item" ref={root} onKeyDown={handleKeyDown}>
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
      <ul id={panelId} className={`nav-panel ${alignEnd ? 'nav-panel-end' : ''}`} hidden={!open}>
        {children}
      </ul>
    </div>
  );
}
