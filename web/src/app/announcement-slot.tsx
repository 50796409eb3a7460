import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'react-router';

const Announcement = lazy(async () => ({
  default: (await import('@/components/announcement/announcement')).Announcement,
}));

/** The first moments of a page are its own. */
const AFTER_MS = 1500;

/** The operator's announcement, loaded once the page is there; not on the console. */
export function AnnouncementSlot() {
  const { pathname } = useLocation();
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!due || pathname.startsWith('/support')) return null;
  return (
    <Suspense fallback={null}>
      <Announcement />
    </Suspense>
  );
}
