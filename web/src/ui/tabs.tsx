import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import '@/styles/app.scss';

export interface TabItem {
  id: string;
  label: string;
  content: ReactNode;
  /** Called when the tab is hovered or focused, to prefetch its data. */
  onReach?: () => void;
}

export interface TabsProps {
  /** The name of the tab list, for assistive technology. */
  label: string;
  items: [TabItem, ...TabItem[]];
  /** The name of the query parameter that holds the selected tab. */
  param?: string;
  /** A query parameter that belongs to one tab and is removed when another is selected, such as its page number. */
  resets?: string;
  /** Called before leaving a tab; returning false cancels, e.g. because of unsaved changes. */
  mayLeave?: (to: string) => boolean;
}

/** Tabs whose selection is in the URL, with arrow keys, Home and End. */
export function Tabs({ label, items, param = 'tab', resets, mayLeave }: TabsProps) {
  const [search, setSearch] = useSearchParams();
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = items.find((item) => item.id === search.get(param)) ?? items[0];

  // On small screens the tabs scroll horizontally; the selected one is kept in view.
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>(`[data-tab="${active.id}"]`);
    if (chosen && list.current) list.current.scrollLeft = chosen.offsetLeft - list.current.offsetLeft - 16;
  }, [active.id]);

  const choose = (id: string) => {
    if (id === active.id || (mayLeave && !mayLeave(id))) return;
    setSearch(
      (before) => {
        before.set(param, id);
        if (resets) before.delete(resets);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  };

  const handleKeyDown = (event: KeyboardEvent) => {
    const index = items.indexOf(active);
    const moves: Record<string, number> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: items.length - 1,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const item = items[(next + items.length) % items.length];
    if (!item) return;
    choose(item.id);
    list.current?.querySelector<HTMLButtonElement>(`[data-tab="${item.id}"]`)?.focus();
  };

  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list}>
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            role="tab"
            className="tab"
            id={`${base}-${item.id}`}
            data-tab={item.id}
            aria-selected={item === active}
            aria-controls={`${base}-panel`}
            tabIndex={item === active ? 0 : -1}
            onPointerEnter={item.onReach}
            onFocus={item.onReach}
            onClick={() => choose(item.id)}
            onKeyDown={handleKeyDown}
          >
            {item.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${active.id}`} key={active.id}>
        {active.content}
      </div>
    </>
  );
}
