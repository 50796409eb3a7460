import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NavLink, Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { Button } from '@/components/button';
import { ErrorState, Loading } from '@/components/states';
import { ThemeSwitch } from '@/components/theme-switch';
import { toApiError } from '@/lib/api/errors';
import { meQuery } from '../api/queries';
import { signOut } from '../api/support';
import { SearchBox } from './search-box';
import '@/styles/app.scss';
import '@/styles/support.scss';

const places = [
  { to: '/support/jobs', label: 'Failed jobs' },
  { to: '/support/contacts', label: 'Contact requests' },
];

/** The console's own frame: search on every screen, the ways between them, and who is signed in. */
export function ConsoleFrame() {
  const me = useQuery(meQuery);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  if (me.error) {
    const { status } = toApiError(me.error);
    if (status === 401 || status === 403) return <Navigate to={`/support/login?next=${encodeURIComponent(pathname + search)}`} replace />;
    return <ErrorState error={me.error} onRetry={() => void me.refetch()} what="the console" />;
  }
  if (!me.data) return <Loading what="the console">{null}</Loading>;
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
        <nav aria-label="Console">
          {places.map(({ to, label }) => (
            <NavLink key={to} to={to}>
              {label}
            </NavLink>
          ))}
        </nav>
        <span className="console-me">
          {me.data.name} · {me.data.role}
        </span>
        <ThemeSwitch />
        <Button variant="quiet" size="sm" onClick={() => void leave()}>
          Sign out
        </Button>
      </header>
      <main className="console-main">
        <Outlet />
      </main>
    </div>
  );
}
