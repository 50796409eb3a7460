import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { TextField } from '@/ui/form/text-field';
import { explain, toApiError } from '@/lib/api/errors';
import { useDebounced } from '@/lib/use-debounced';
import { searchQuery } from '../api/queries';
import type { Hit } from '../api/support';
import { count } from '../shared/count';
import { matching, ON_PAGE, recents, remember, type Command } from './palette';
import { NO_MATCH, placeOf, whose, words } from './search-words';
import { isTyping, useShortcuts } from './shortcuts';

/** Whether the key was pressed in the search while the search is empty or has slashes only. */
const isBlankSearch = (target: EventTarget | null, box: HTMLInputElement | null) =>
  box !== null && target === box && /^\/*$/.test(box.value);

/** Focuses the box on "/" and Ctrl-K, and first on the home page. "/" in the empty box types nothing. */
function useSearchKeys(box: RefObject<HTMLInputElement | null>, onAsk: () => void) {
  const { enabled } = useShortcuts();
  const { pathname } = useLocation();
  const first = useRef(pathname === '/support');
  const ask = useEffectEvent(onAsk);
  useEffect(() => {
    if (first.current) box.current?.focus();
  }, [box]);
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      const wanted =
        (event.key === 'k' && (event.ctrlKey || event.metaKey)) ||
        (enabled && event.key === '/' && (!isTyping(event.target) || isBlankSearch(event.target, box.current)));
      if (!wanted) return;
      event.preventDefault();
      box.current?.select();
      box.current?.focus();
      ask();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [box, enabled]);
}

/** The typed text; a search from the URL opens with its results, but for the page that shows all of them. */
function useTyped(box: RefObject<HTMLInputElement | null>) {
  const [params] = useSearchParams();
  const asked = params.get('q') ?? '';
  const { pathname } = useLocation();
  const opens = asked !== '' && pathname !== '/support/search';
  const [typed, setTyped] = useState(asked);
  const [open, setOpen] = useState(opens);
  useEffect(() => {
    if (!asked) return;
    setTyped(asked);
    setOpen(opens);
    if (opens) box.current?.focus();
  }, [asked, opens, box]);
  return { typed, setTyped, open, setOpen };
}

/** A line of the list: a command, a customer found, or the way to all results. */
type Line = { command: Command } | { hit: Hit } | { all: number };

/** The lines for the typed text. Results of an earlier text are left out, and weak matches wait for the results. */
function useLines(typed: string, commands: readonly Command[], open: boolean) {
  const q = useDebounced(typed, 80);
  const found = useQuery(searchQuery(q));
  const current = q && q === typed ? found.data : undefined;
  const { hits = [], more = false } = current ?? {};
  const { pathname } = useLocation();
  const kept = open && !typed ? recents().filter(({ to }) => to !== pathname) : [];
  const { named, others } = matching(commands, typed);
  const lines: Line[] = [
    ...kept.map(({ to, label, detail }) => ({ command: { kind: 'Recent' as const, label, detail, to } })),
    ...(typed ? [] : commands.filter(({ detail }) => detail === ON_PAGE).map((command) => ({ command }))),
    ...named.map((command) => ({ command })),
    ...hits.map((hit) => ({ hit })),
    ...(more ? [{ all: hits.length }] : []),
    ...(current || found.error ? others.map((command) => ({ command })) : []),
  ];
  return { q, found, hits, more, lines };
}

/** The marked line of the list: the first again for each new query. */
function useActive(q: string) {
  const [active, setActive] = useState(0);
  useEffect(() => setActive(0), [q]);
  return [active, setActive] as const;
}

/** Opens the first line when it arrives, if Enter was pressed before; returns the setter of the text that waits. */
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

/** Part of a mobile, with the spaces that a person types. */
const someDigits = /^\d[\d\s]{3,10}$/;
const requestId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

function failed(error: unknown): string {
  const { requestId: id } = toApiError(error);
  return `The search failed. ${explain(error)} Press Enter to try again. ${id && `Request id: ${id}`}`;
}

function tell(q: string, hits: number, lines: number, more: boolean, failure: string, settled: boolean): string {
  if (failure) return failure;
  if (!settled) return '';
  if (hits > 0) return more ? `The first ${hits} are shown. There are more.` : `${hits} found`;
  if (requestId.test(q))
    return 'No match. The search finds the request ids of orders, payments and what staff did alone.';
  if (someDigits.test(q))
    return 'No mobile begins or ends with these digits. Digits in its middle are not searched: type its first or last four.';
  if (lines > 0) return count(lines, 'page or act', 'pages and acts');
  return q.length < 3 ? 'Type three characters or more' : NO_MATCH;
}

const keyOf = (line: Line) =>
  'command' in line
    ? `${line.command.kind}-${line.command.label}-${line.command.to ?? ''}`
    : 'hit' in line
      ? `${line.hit.kind}-${line.hit.label}-${line.hit.customer_id ?? ''}`
      : 'all';

function Words({ of: line }: { of: Line }) {
  if ('all' in line) return <>All results: only the first {line.all} are shown here</>;
  if ('command' in line) {
    const { label, detail = '', kind } = line.command;
    return (
      <>
        <strong>{label}</strong> <span className="hit-who">{detail}</span> <span>{kind}</span>
      </>
    );
  }
  return (
    <>
      <strong>{line.hit.label}</strong> <span className="hit-who">{whose(line.hit)}</span>{' '}
      <span>{words[line.hit.kind]}</span>
    </>
  );
}

interface LinesProps {
  lines: Line[];
  active: number;
  shown: boolean;
  onChoose: (index: number) => void;
}

function Lines({ lines, active, shown, onChoose }: LinesProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (shown) list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, shown]);
  return (
    <ul ref={list} id="console-hits" role="listbox" aria-label="Found" hidden={!shown}>
      {lines.map((line, index) => (
        // The input keeps the focus and handles the keys; the options handle the pointer only.
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <li
          key={keyOf(line)}
          id={`hit-${index}`}
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          <Words of={line} />
        </li>
      ))}
    </ul>
  );
}

/** Opens a line, or runs its act, after the palette is closed. */
function useChoose(lines: readonly Line[], q: string, onClose: () => void) {
  const navigate = useNavigate();
  const go = (to: string, label: string, detail: string) => {
    remember({ to, label, detail });
    void navigate(to);
  };
  return (index: number) => {
    const line = lines[index];
    onClose();
    if (!line || 'all' in line) return void navigate(`/support/search?q=${encodeURIComponent(q)}`);
    if ('hit' in line) return go(placeOf(line.hit), line.hit.name || line.hit.label, words[line.hit.kind]);
    const { to, run, label, detail = '' } = line.command;
    return to ? go(to, label, detail) : run?.();
  };
}

/** The palette: finds customers by anything, and pages and acts by name. "/" and Ctrl-K focus it, Enter opens the highlighted line. */
export function SearchBox({ commands }: { commands: readonly Command[] }) {
  const box = useRef<HTMLInputElement>(null);
  const { typed, setTyped, open, setOpen } = useTyped(box);
  const { pathname } = useLocation();
  const { q, found, hits, more, lines } = useLines(typed.trim(), commands, open);
  const [active, setActive] = useActive(typed.trim());

  useSearchKeys(box, () => setOpen(true));
  const choose = useChoose(lines, q, () => {
    setOpen(false);
    setTyped('');
  });
  const setAwaited = useAwaited(typed.trim(), lines.length > 0, () => choose(0));
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      setAwaited('');
      if (open && typed) setOpen(false);
      else {
        setOpen(false);
        document.querySelector<HTMLElement>('.console-main')?.focus();
      }
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) setOpen(true);
      else if (lines.length > 0)
        setActive((now) => (now + (event.key === 'ArrowDown' ? 1 : -1) + lines.length) % lines.length);
    }
    if (event.key !== 'Enter' || (!typed && !open)) return;
    if (active < lines.length) choose(active);
    else if (found.error) void found.refetch();
    else setAwaited(typed.trim());
  };
  const shown = open && lines.length > 0;
  const failure = open && q && found.error && !found.isFetching ? failed(found.error) : '';
  const settled = open && q !== '' && q === typed.trim() && !found.isFetching;
  const told = tell(q, hits.length, lines.length, more, failure, settled);
  return (
    <div className="console-search">
      <TextField
        box=""
        label="Search or jump to"
        hideLabel
        ref={box}
        role="combobox"
        placeholder="Customer, payment, page or act"
        autoComplete="off"
        spellCheck={false}
        data-route-focus={pathname === '/support' ? '' : undefined}
        aria-expanded={shown}
        aria-controls="console-hits"
        aria-autocomplete="list"
        aria-activedescendant={shown ? `hit-${active}` : undefined}
        value={typed}
        onChange={(text) => {
          setTyped(text);
          setOpen(true);
          setAwaited('');
        }}
        onKeyDown={handleKey}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false);
          setAwaited('');
        }}
      />
      {!typed && (
        <kbd className="console-hotkey" aria-hidden="true">
          Ctrl K
        </kbd>
      )}
      <Lines lines={lines} active={active} shown={shown} onChoose={choose} />
      <p role="status" className={told && lines.length === 0 ? 'console-none' : 'visually-hidden'}>
        {told}
      </p>
    </div>
  );
}
