import { t } from '@lingui/core/macro';
import { useEffect, useRef, useState } from 'react';
import { Outlet, ScrollRestoration, useLocation, useNavigate, useNavigation, type Location } from 'react-router';
import { Toasts } from '@/ui/toasts';
import { pageTakenOver } from '@/start/page/hydration';
import { onRedirect } from '@/lib/session/follow-redirect';
import { withReturn } from '@/lib/session/redirect';
import { followOtherTabs } from '@/lib/session/session';
import { AnnouncementSlot } from './announcement-slot';
import { OfflineNotice } from './offline';
import { ViewBannerSlot } from './view-banner-slot';

/** How long a page may load, in milliseconds, before a progress line is shown at the top. */
const PROGRESS_DELAY_MS = 600;

/** Moves the focus to the new page's heading, where keyboard and screen reader start, or to the page's main field. */
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
  return loading && late ? (
    <div className="route-progress" role="progressbar" aria-label={t`Loading the page`} />
  ) : null;
}

/**
 * Opens the screen that a failed call's `redirect_to` names, after its message. A form with changes confirms before the user leaves it; the
 * address form links back to the previous screen.
 */
function FollowRedirects() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(
    () =>
      onRedirect((path) => {
        if (path.split('?')[0] === pathname) return false;
        void navigate(path === '/store-details/address' ? withReturn(path, pathname + search) : path);
        return true;
      }),
    [navigate, pathname, search],
  );
  return null;
}

/** The key of a history entry. The document's first entry has no key, so its path is used. */
function placeName({ key, pathname }: Location): string {
  return key === 'default' ? pathname : key;
}

/** What surrounds every route: toasts, and focus and scroll position on navigation. */
export function Root() {
  useEffect(() => followOtherTabs(), []);
  useEffect(pageTakenOver, []);
  return (
    <>
      <RouteProgress />
      <FollowRedirects />
      <ViewBannerSlot />
      <OfflineNotice />
      <Outlet />
      <AnnouncementSlot />
      <Toasts />
      <RouteFocus />
      <ScrollRestoration getKey={placeName} />
    </>
  );
}
