import PersonIcon from 'bootstrap-icons/icons/person-circle.svg?component';
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { atom, useAtom, useSetAtom } from 'jotai';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, type ReactNode } from 'react';
import { NavLink, Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { DisclosureMenu } from '@/ui/disclosure-menu';
import { ListKeysContext } from '@/ui/list/use-row-keys';
import { EmptyState, ErrorState, Loading } from '@/ui/states';
import { ThemeSwitch } from '@/ui/theme-switch';
import { toApiError } from '@/lib/api/errors';
import { meQuery } from '../api/queries';
import { may, whoMay } from '../api/rights';
import { useCall } from '../api/use-change';
import { signOut } from '../api/staff';
import type { StaffMember } from '../api/support';
import { AlertBanner } from '../alerts/alerts';
import { DeskPages, Drawer, Rail, useRail } from './console-rail';
import { desksOf, missingRight, type Desk } from './desks';
import { forgetRecents, ON_PAGE, pagesOf, useOfferedActs, type Command } from './palette';
import { SearchBox } from './search-box';
import { isTyping, ShortcutsDialog, usePageKeys, useShortcuts } from './shortcuts';
import '@/styles/app.scss';
import './support.scss';
import '../jobs/support-jobs.scss';
import './console-shell.scss';
import { Offer } from '../shared/offer';

/** Asks staff to sign in as soon as any response shows that they are signed out or no longer staff. */
function useSignedOut(queries: QueryClient) {
  useEffect(() => {
    const check = (error: unknown) => {
      if (toApiError(error).status === 401) void queries.invalidateQueries({ queryKey: meQuery.queryKey });
    };
    const ends = [
      queries.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && event.query.queryKey[1] !== 'me')
          check(event.action.error);
      }),
      queries.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') check(event.action.error);
      }),
    ];
    return () => ends.forEach((end) => end());
  }, [queries]);
}

/** After a navigation the focus moves from the search to the page's content, except on the home page, where the search is used. */
function useContentFocus(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current !== pathname && pathname !== '/support') main.current?.focus({ preventScroll: true });
    last.current = pathname;
  }, [pathname]);
  return main;
}

/** How long a page's key may follow "g", in milliseconds. */
const GO_MS = 1500;

/** Opens a page by "g" and its key. The second key reaches nothing else on the page. */
function useGoKeys(desks: Desk[]) {
  const { enabled } = useShortcuts();
  const navigate = useNavigate();
  const since = useRef(-Infinity);
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const waits = event.timeStamp - since.current < GO_MS;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      isTyping(event.target) ||
      document.querySelector('[role=dialog]')
    )
      return;
    since.current = event.key === 'g' && !waits ? event.timeStamp : -Infinity;
    const place = desks.flatMap(({ places }) => places).find(({ go }) => go === event.key);
    if (event.key !== 'g' && !(waits && place)) return;
    event.preventDefault();
    event.stopPropagation();
    if (waits && place) void navigate(place.to);
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const listen = (event: KeyboardEvent) => handle(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, [enabled]);
}

/** Whether the list of keys is open. Only the list reads it, so that opening it renders nothing else. */
const helpingAtom = atom(false);

function Help() {
  const [helping, setHelping] = useAtom(helpingAtom);
  useEffect(() => () => setHelping(false), [setHelping]);
  return helping && <ShortcutsDialog onClose={() => setHelping(false)} />;
}

/** The single-key shortcuts between pages of the console; returns what opens the list of them. */
function useConsoleKeys(pathname: string): () => void {
  const setHelping = useSetAtom(helpingAtom);
  const help = useCallback(() => setHelping(true), [setHelping]);
  const navigate = useNavigate();
  const customer = /^\/support\/customers\/([0-9a-f-]{36})$/.exec(pathname)?.[1];
  const keys = useMemo(
    () => ({
      '?': help,
      ...(customer && { f: () => void navigate(`/support/jobs?customer=${customer}`) }),
    }),
    [help, navigate, customer],
  );
  usePageKeys(keys);
  return help;
}

/** Signs out, and forgets what the console showed. */
function useLeave() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { mutate } = useCall(signOut, {
    toast: 'error',
    onSuccess: () => {
      forgetRecents();
      queries.clear();
      void navigate('/support/login', { replace: true });
    },
  });
  return useCallback(() => mutate(), [mutate]);
}

/** The pages and acts of the palette. */
function useCommands(desks: Desk[], onHelp: () => void, leave: () => void) {
  const acts = useOfferedActs();
  return useMemo(
    (): Command[] => [
      ...acts.map((act) => ({ kind: 'Act' as const, detail: ON_PAGE, ...act })),
      ...pagesOf(desks),
      { kind: 'Page', label: 'My account', to: '/support/account', words: 'password passkey authenticator profile' },
      { kind: 'Act', label: 'Keys', words: 'keyboard shortcuts help', run: onHelp },
      { kind: 'Act', label: 'Sign out', words: 'log out leave', run: leave },
    ],
    [acts, desks, onHelp, leave],
  );
}

interface ShellProps {
  me: StaffMember;
  onHelp: () => void;
  children: ReactNode;
}

/** Rail, top bar and alerts around a page. */
function Shell({ me, onHelp, children }: ShellProps) {
  const { pathname } = useLocation();
  const [wide, toggle] = useRail();
  const desks = useMemo(() => desksOf(me.role), [me.role]);
  const main = useContentFocus(pathname);
  useGoKeys(desks);
  const leave = useLeave();
  const commands = useCommands(desks, onHelp, leave);
  return (
    <div className="console">
      <Rail desks={desks} pathname={pathname} wide={wide} onToggle={toggle} />
      <div className="console-body">
        <header className="console-head">
          <Drawer desks={desks} pathname={pathname} />
          <SearchBox commands={commands} />
          <div className="console-tools">
            <Offer variant="quiet" className="console-keys-button" onClick={onHelp} of="for working without a mouse">
              Keys
            </Offer>
            <ThemeSwitch />
            <DisclosureMenu
              alignEnd
              label={
                <>
                  <PersonIcon className="console-person" />
                  <span className="console-me">
                    {me.name} · {me.role}
                  </span>
                </>
              }
            >
              <li>
                <NavLink to="/support/account">My account</NavLink>
              </li>
              <li>
                <button type="button" onClick={leave}>
                  Sign out
                </button>
              </li>
            </DisclosureMenu>
          </div>
        </header>
        {may(me.role, 'ops') && <AlertBanner pathname={pathname} />}
        <DeskPages desks={desks} pathname={pathname} />
        <main ref={main} className="console-main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}

/** The console's frame: rail, search, alerts, and the page if the role may see it. */
export function ConsoleFrame() {
  const me = useQuery(meQuery);
  const { pathname, search } = useLocation();
  const queries = useQueryClient();
  const { enabled } = useShortcuts();
  const help = useConsoleKeys(pathname);
  useSignedOut(queries);
  if (me.error) {
    const { status } = toApiError(me.error);
    if (status === 401 || status === 403)
      return <Navigate to={`/support/login?next=${encodeURIComponent(pathname + search)}`} replace />;
    return <ErrorState error={me.error} onRetry={() => void me.refetch()} what="the console" />;
  }
  if (!me.data) return <Loading what="the console">{null}</Loading>;
  const missing = missingRight(pathname, me.data.role);
  return (
    <>
      <Shell me={me.data} onHelp={help}>
        {missing ? (
          <EmptyState
            alone
            title="Your role may not see this page"
            action={<ButtonLink to="/support">Go to the home page</ButtonLink>}
          >
            It is for {whoMay(missing)}.
          </EmptyState>
        ) : (
          <ListKeysContext value={enabled}>
            <Outlet />
          </ListKeysContext>
        )}
      </Shell>
      <Help />
    </>
  );
}
