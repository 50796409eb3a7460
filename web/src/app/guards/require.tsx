import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { Loading, Skeleton } from '@/ui/states';
import { RoleForbidden } from '@/domain/role-forbidden';
import { loginPath } from '@/lib/session/redirect';
import { sessionQuery } from '@/lib/session/session-query';
import { mayOpen, type Area } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';

/** Admits signed-in users; others log in first and return to this address. */
export function RequireAuth() {
  const { isAuthenticated } = useSession();
  const { pathname, search } = useLocation();
  return isAuthenticated ? <Outlet /> : <Navigate to={loginPath(pathname + search)} replace />;
}

/**
 * Admits users with a plan; redirects others to choose a plan. Used inside RequireAuth. A plan may have become active since this browser's
 * last update, so it queries the server before it redirects.
 */
export function RequireActive() {
  const { isActive } = useSession();
  const session = useQuery({ ...sessionQuery, enabled: !isActive, staleTime: 0 });
  if (isActive) return <Outlet />;
  if (session.isFetching) return <AskingServer />;
  return <Navigate to="/pricing" replace />;
}

function AskingServer() {
  return (
    <div className="container page">
      <Loading what={t`your plan`}>
        <Skeleton lines={8} />
      </Loading>
    </div>
  );
}

/** Admits users with a store; others enter its details first. Used inside RequireActive. */
export function RequireStore() {
  const { hasStoreDetails } = useSession();
  return hasStoreDetails ? <Outlet /> : <Navigate to="/store-details" replace />;
}

function RequireArea({ area }: { area: Area }) {
  const { role } = useSession();
  return mayOpen(role, area) ? <Outlet /> : <RoleForbidden />;
}

/** Admits the owner of the account that is open. Used inside RequireAuth, as the other two are. */
export const RequireOwner = () => <RequireArea area="owner" />;
/** Admits roles that may see bills and documents. */
export const RequireBilling = () => <RequireArea area="billing" />;
/** Admits roles that may edit the store's details. */
export const RequireStoreRole = () => <RequireArea area="store" />;
