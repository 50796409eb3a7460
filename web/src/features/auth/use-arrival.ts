import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { redirectWord, RETURN_PARAM } from '@/lib/session/redirect';
import { firstScreen } from '@/lib/session/roles';
import { useHydrated, useSession } from '@/lib/session/session';

interface Arrival {
  /** The screen originally requested; null during hydration, because the markup is the same for everybody. */
  back: string | null;
  /** Where to send people who were signed in before this page opened. */
  elsewhere: string | null;
}

/** Whether the visitor of a sign-in or sign-up page is signed in, and the page they requested. */
export function useArrival(): Arrival {
  const session = useSession();
  const hydrated = useHydrated();
  const [search] = useSearchParams();
  // Decided once, when the session is known: a sign-in on this page navigates separately.
  const [arrived, setArrived] = useState<boolean | null>(null);
  if (hydrated && arrived === null) setArrived(session.isAuthenticated);
  const back = hydrated ? search.get(RETURN_PARAM) : null;
  return { back, elsewhere: arrived ? firstScreen(session.role, redirectWord(session), back) : null };
}
