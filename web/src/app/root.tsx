import { useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigation, type Location } from 'react-router';
import { Toasts } from '@/components/toasts';
import { pageTakenOver } from '@/start/page/hydration';
import { followOtherTabs } from '@/lib/session/session';
import { ViewBannerSlot } from './view-banner-slot';

/** Under a second nothing is shown; a page that takes longer to arrive gets a line at the top. */
const PROGRESS_DELAY_MS = 600;

/** Moves the focus to the new page's heading, so that keyboard and screen reader start there, or to the field that the page is used by. */
function RouteFocus() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const field = document.querySelector<HTMLElement>('[data-route-focus]');
    if (field) {
      field.focus({ preventScroll: true });
      return;
    }
    const target = document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main');
    target?.setAttribute('tabindex', '-1');
    target?.focus({ preventScroll: true });
  }, [pathname]);
  return null;
}

function RouteProgress() {
  const loading = useNavigation().state === 'loading';
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!loading) return undefined;
    const timer = setTimeout(() => setLate(true), PROGRESS_DELAY_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [loading]);
  return loading && late ? <div className="route-progress" role="progressbar" aria-label="Loading the page" /> : null;
}

/** The place in a document that was opened by its address has that for a name; the router calls all of them "default". */
function placeName({ key, pathname }: Location): string {
  return key === 'default' ? pathname : key;
}

/** What surrounds every route: messages, and focus and scroll on a change of page. */
export function Root() {
  useEffect(() => followOtherTabs(), []);
  useEffect(pageTakenOver, []);
  return (
    <>
      <RouteProgress />
      <ViewBannerSlot />
      <Outlet />
      <Toasts />
      <RouteFocus />
      <ScrollRestoration getKey={placeName} />
    </>
  );
}
