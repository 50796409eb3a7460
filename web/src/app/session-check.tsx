import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sessionQuery } from '@/lib/session/session-query';
import { startSession, useSession } from '@/lib/session/session';

/** Checks the restored display state with the server while a user is signed in. */
export function SessionCheck() {
  const { isAuthenticated } = useSession();
  const { data } = useQuery({ ...sessionQuery, enabled: isAuthenticated });

  useEffect(() => {
    if (data) startSession(data['franchiser-user']);
  }, [data]);
  return null;
}
