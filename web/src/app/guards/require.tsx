import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { Loading, Skeleton } from '@/components/states';
import { loginPath } from '@/lib/session/redirect';
import { sessionQuery } from '@/lib/session/session-query';
import { useSession } from '@/lib/session/session';

/** Lets signed-in people through; others log in first and come back to this address. */
export function RequireAuth() {
  const { isAuthenticated } = useSession();
  const { pathname, search } = useLocation();
  return isAuthenticated ? <Outlet /> : <Navigate to={loginPath(pathname + search)} replace />;
}

/**
 * Lets people with a plan through; others choose one first. Stands inside RequireAuth.
 * A plan may have become active since this browser last heard of it, so the server is asked before anybody is sent away.
 */
export function RequireActive() {
  const { isActive } = useSession();
  const session = useQuery({ ...sessionQuery, enabled: !isActive, staleTime: 0 });
  if (isActive || session.data?.['franchiser-user'].is_active) return <Outlet />;
  if (session.isFetching) return <AskingServer />;
  return <Navigate to="/pricing" replace />;
}

function AskingServer() {
  return (
    <div className="container page">
      <Loading what="your plan">
        <Skeleton lines={8} />
      </Loading>
    </div>
  );
}

/** Lets people with a store through; others fill in its details first. Stands inside RequireActive. */
export function RequireStore() {
  const { hasStoreDetails } = useSession();
  return hasStoreDetails ? <Outlet /> : <Navigate to="/store-details" replace />;
}
