import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '@/lib/session/session-query';
import { useSession } from '@/lib/session/session';

/** Checks the restored display state with the server while a user is signed in. */
export function SessionCheck() {
  const { isAuthenticated } = useSession();
  useQuery({ ...sessionQuery, enabled: isAuthenticated });
  return null;
}
