import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { NavLink, Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { Button, ButtonLink } from '@/components/button';
import { DisclosureMenu } from '@/components/disclosure-menu';
import { ListKeysContext } from '@/components/list/use-row-keys';
import { EmptyState, ErrorState, Loading } from '@/components/states';
import { ThemeSwitch } from '@/components/theme-switch';
import { toApiError } from '@/lib/api/errors';
import { meQuery } from '../api/queries';
import { may, whoMay, type Right, type Role } from '../api/rights';
import { signOut } from '../api/support';
import { AlertBanner } from './alerts';
import { SearchBox } from './search-box';
import { ShortcutsDialog, usePageKeys, useShortcuts } from './shortcuts';
import '@/styles/app.scss';
import './support.scss';
import './support-jobs.scss';

interface Place {
  to: string;
  label: string;
  right?: Right;
}

/** The places of the console, in the menus under which a wide screen has them. */
const menus: { label: string; places: Place[] }[] = [
  {
    label: 'Operations',
    places: [
      { to: '/support/jobs', label: 'Failed jobs', right: 'ops' },
      { to: '/support/queues', label: 'Queues', right: 'ops' },
      { to: '/support/alerts', label: 'Alerts', right: 'ops' },
      { to: '/support/connected', label: 'Connected systems', right: 'ops' },
    ],
  },
  {
    label: 'Customers',
    places: [
      { to: '/support/contacts', label: 'Contact requests' },
      { to: '/support/deliveries', label: 'Deliveries' },
      { to: '/support/announcements', label: 'Announcements', right: 'ops' },
      { to: '/support/catalogue', label: 'Catalogue' },
    ],
  },
  {
    label: 'Payments',
    places: [
      { to: '/support/money', label: 'Money' },
      { to: '/support/approvals', label: 'Approvals' },
      { to: '/support/transfers', label: 'Bank transfers' },
      { to: '/support/tds', label: 'TDS' },
      { to: '/support/settlements', label: 'Settlements' },
    ],
  },
  {
    label: 'Books',
    places: [
      { to: '/support/invariants', label: 'Books check' },
      { to: '/support/accounts', label: 'Accounts', right: 'books' },
      { to: '/support/figures', label: 'Figures', right: 'books' },
      { to: '/support/credit-notes', label: 'Credit notes' },
      { to: '/support/e-invoices', label: 'E-invoices' },
      { to: '/support/gst-returns', label: 'GST returns', right: 'books' },
    ],
  },
  {
    label: 'Team',
    places: [
      { to: '/support/audit', label: 'Audit', right: 'ops' },
      { to: '/support/staff', label: 'Staff', right: 'office' },
    ],
  },
];

const inside = (pathname: string, { to }: Place) => pathname === to || pathname.startsWith(`${to}/`);

/** The right that the page requires and the user's role does not have. */
function missingRight(pathname: string, role: Role): Right | undefined {
  const pages = [
    ...menus.flatMap(({ places }) => places),
    { to: '/support/contact-macros', label: '', right: 'ops' as const },
  ];
  const right = pages.find((place) => inside(pathname, place))?.right;
  return right && !may(role, right) ? right : undefined;
}

/** The ways to all places: menus on a wide screen, where the stylesheet hides the lists that are closed; below it all links. */
function ConsoleNav({ role, pathname }: { role: Role; pathname: string }) {
  return (
    <nav aria-label="Console">
      {menus.map(({ label, places }) => {
        const offered = places.filter(({ right }) => !right || may(role, right));
        if (offered.length === 0) return null;
        const here = offered.some((place) => inside(pathname, place));
        return (
          <DisclosureMenu key={label} label={here ? <b>{label}</b> : label}>
            {offered.map(({ to, label: name }) => (
              <li key={to}>
                <NavLink to={to}>{name}</NavLink>
              </li>
            ))}
          </DisclosureMenu>
        );
      })}
    </nav>
  );
}

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

/** The single-key shortcuts between pages of the console, and whether the list of them is open. */
function useConsoleKeys(pathname: string) {
  const [helping, setHelping] = useState(false);
  const navigate = useNavigate();
  const customer = /^\/support\/customers\/([0-9a-f-]{36})$/.exec(pathname)?.[1];
  const keys = useMemo(
    () => ({
      '?': () => setHelping(true),
      g: () => void navigate('/support/jobs'),
      q: () => void navigate('/support/queues'),
      ...(customer && { f: () => void navigate(`/support/jobs?customer=${customer}`) }),
    }),
    [navigate, customer],
  );
  usePageKeys(keys);
  return [helping, setHelping] as const;
}

/** The console's frame: search on every screen, navigation, and who is signed in. */
export function ConsoleFrame() {
  const me = useQuery(meQuery);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { enabled } = useShortcuts();
  const main = useContentFocus(pathname);
  const [helping, setHelping] = useConsoleKeys(pathname);
  useSignedOut(queries);
  if (me.error) {
    const { status } = toApiError(me.error);
    if (status === 401 || status === 403)
      return <Navigate to={`/support/login?next=${encodeURIComponent(pathname + search)}`} replace />;
    return <ErrorState error={me.error} onRetry={() => void me.refetch()} what="the console" />;
  }
  if (!me.data) return <Loading what="the console">{null}</Loading>;
  const { role } = me.data;
  const missing = missingRight(pathname, role);
  const leave = async () => {
    await signOut();
    queries.clear();
    await navigate('/support/login', { replace: true });
  };
  return (
    <div className="console">
      <header className="console-head">
        <NavLink to="/support" end className="console-name">
          360 Support
        </NavLink>
        <SearchBox />
        <ConsoleNav role={role} pathname={pathname} />
        <div className="console-tools">
          <span className="console-me">
            <NavLink to="/support/account">
              {me.data.name} · {role}
            </NavLink>
          </span>
          <Button variant="quiet" size="sm" onClick={() => setHelping(true)}>
            Keys<span className="visually-hidden"> for working without a mouse</span>
          </Button>
          <ThemeSwitch />
          <Button variant="quiet" size="sm" onClick={() => void leave()}>
            Sign out
          </Button>
        </div>
      </header>
      {may(role, 'ops') && <AlertBanner />}
      <main ref={main} className="console-main" tabIndex={-1}>
        {missing ? (
          <EmptyState
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
      </main>
      {helping && <ShortcutsDialog onClose={() => setHelping(false)} />}
    </div>
  );
}
