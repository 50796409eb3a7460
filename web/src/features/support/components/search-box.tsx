import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { explain, toApiError } from '@/lib/api/errors';
import { useDebounced } from '@/lib/use-debounced';
import { searchQuery } from '../api/queries';
import type { Hit } from '../api/support';
import { placeOf, whose, words } from './search-words';
import { isTyping, useShortcuts } from './shortcuts';

/** Whether the key was pressed in the search while the search is empty or has slashes only. */
const isBlankSearch = (target: EventTarget | null, box: HTMLInputElement | null) =>
  box !== null && target === box && /^\/*$/.test(box.value);

/** Focuses the box initially, and again on "/" and Ctrl-K. "/" in the empty box types nothing. */
function useSearchKeys(box: RefObject<HTMLInputElement | null>) {
  const { enabled } = useShortcuts();
  useEffect(() => box.current?.focus(), [box]);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const wanted =
        (event.key === 'k' && (event.ctrlKey || event.metaKey)) ||
        (enabled && event.key === '/' && (!isTyping(event.target) || isBlankSearch(event.target, box.current)));
      if (!wanted) return;
      event.preventDefault();
      box.current?.select();
      box.current?.focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [box, enabled]);
}

/** The typed text; a search from the URL opens with its results. */
function useTyped(box: RefObject<HTMLInputElement | null>) {
  const [params] = useSearchParams();
  const asked = params.get('q') ?? '';
  const [typed, setTyped] = useState(asked);
  const [open, setOpen] = useState(asked !== '');
  useEffect(() => {
    if (!asked) return;
    setTyped(asked);
    setOpen(true);
    box.current?.focus();
  }, [asked, box]);
  return { typed, setTyped, open, setOpen };
}

/** The search results; nothing while they belong to an earlier query. */
function useHits(typed: string) {
  const q = useDebounced(typed, 80);
  const found = useQuery(searchQuery(q));
  const current = q && q === typed ? found.data : undefined;
  return { q, found, hits: current?.hits ?? [], more: current?.more ?? false };
}

/** The marked line of the list: the first again for each new query. */
function useActive(q: string) {
  const [active, setActive] = useState(0);
  useEffect(() => setActive(0), [q]);
  return [active, setActive] as const;
}

/** Opens the first hit when it arrives, if Enter was pressed before; returns the setter of the text that waits. */
function useAwaited(typed: string, found: boolean, onArrive: () => void) {
  const [awaited, setAwaited] = useState('');
  const openFirst = useEffectEvent(() => {
    setAwaited('');
    onArrive();
  });
  const arrived = found && awaited !== '' && awaited === typed;
  useEffect(() => {
    if (arrived) openFirst();
  }, [arrived]);
  return setAwaited;
}

const requestId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function tell(q: string, hits: number, more: boolean, failure: string, settled: boolean): string {
  if (failure) return failure;
  if (!settled) return '';
  if (hits > 0) return more ? `The first ${hits} are shown. There are more.` : `${hits} found`;
  if (requestId.test(q))
    return 'Nothing found. Ids of requests are found of orders, payments and what staff did alone.';
  return q.length < 3 ? 'Type three characters or more' : 'Nobody found';
}

interface HitsProps {
  hits: Hit[];
  active: number;
  shown: boolean;
  /** The list is cut off: its last line leads to all results. */
  more: boolean;
  onChoose: (index: number) => void;
}

function Hits({ hits, active, shown, more, onChoose }: HitsProps) {
  return (
    <ul id="console-hits" role="listbox" aria-label="Customers found" hidden={!shown}>
      {hits.map((hit, index) => (
        // The input keeps the focus and handles the keys; the options handle the pointer only.
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={`${hit.kind}-${hit.label}-${hit.customer_id ?? ''}`}
          id={`hit-${index}`}
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          <strong>{hit.label}</strong> <span className="hit-who">{whose(hit)}</span> <span>{words[hit.kind]}</span>
        </li>
      ))}
      {more && (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          id={`hit-${hits.length}`}
          role="option"
          aria-selected={hits.length === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(hits.length)}
        >
          All results: only the first {hits.length} are shown here
        </li>
      )}
    </ul>
  );
}

/** Finds a customer by anything; "/" and Ctrl-K focus it, Enter opens the highlighted hit. */
export function SearchBox() {
  const box = useRef<HTMLInputElement>(null);
  const { typed, setTyped, open, setOpen } = useTyped(box);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { q, found, hits, more } = useHits(typed.trim());
  const [active, setActive] = useActive(q);

  useSearchKeys(box);
  const lines = hits.length + (more ? 1 : 0);
  const choose = (index: number) => {
    const hit = hits[index];
    setOpen(false);
    setTyped('');
    void navigate(hit ? placeOf(hit) : `/support/search?q=${encodeURIComponent(q)}`);
  };
  const setAwaited = useAwaited(typed.trim(), lines > 0, () => choose(0));
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setAwaited('');
      if (open && typed) setOpen(false);
      else document.querySelector<HTMLElement>('.console-main')?.focus();
    }
    if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && lines > 0) {
      event.preventDefault();
      setActive((now) => (now + (event.key === 'ArrowDown' ? 1 : -1) + lines) % lines);
    }
    if (event.key !== 'Enter') return;
    if (active < lines) choose(active);
    else if (found.error) void found.refetch();
    else setAwaited(typed.trim());
  };
  const shown = open && hits.length > 0;
  const failure =
    open && q && found.error && !found.isFetching
      ? `The search failed. ${explain(found.error)} Press Enter to try again. ${toApiError(found.error).requestId && `Request id: ${toApiError(found.error).requestId}`}`
      : '';
  const told = tell(q, hits.length, more, failure, open && q !== '' && q === typed.trim() && !found.isFetching);
  return (
    <div className="console-search">
      <input
        ref={box}
        className="input"
        type="text"
        role="combobox"
        aria-label="Find a customer"
        placeholder="Find a customer, payment or job"
        autoComplete="off"
        spellCheck={false}
        data-route-focus={pathname === '/support' ? '' : undefined}
        aria-expanded={shown}
        aria-controls="console-hits"
        aria-activedescendant={shown ? `hit-${active}` : undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setOpen(true);
          setAwaited('');
        }}
        onKeyDown={handleKey}
        onBlur={() => {
          setOpen(false);
          setAwaited('');
        }}
      />
      <Hits hits={hits} active={active} shown={shown} more={more} onChoose={choose} />
      <p role="status" className={told && hits.length === 0 ? 'console-none' : 'visually-hidden'}>
        {told}
      </p>
    </div>
  );
}
