import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { Button } from '@/ui/button';
import { serverAnswers, useOnline, useStandby } from '@/lib/online';
import { usePageMeta } from '@/lib/page-meta';
import { reloadPage } from '@/lib/reload';

const PROBE_MS = 3_000;

/** How browsers say that a part of the site could not be fetched; they have no common code for it. */
const UNFETCHED =
  /preload CSS|dynamically imported module|importing a module script|Failed to fetch|Load failed|NetworkError/i;

/** Whether what fell over is only that a part of the site could not be fetched. */
export const isUnfetched = (error: unknown) => error instanceof Error && UNFETCHED.test(error.message);

/**
 * Reloads the page when the server answers after an outage. If the server answers at once, the chunk itself is broken, and reloading would
 * loop forever.
 */
function useReloadOnReturn(): boolean {
  const online = useOnline();
  const [away, setAway] = useState(!online);
  useEffect(() => {
    if (!online) {
      setAway(true);
      return undefined;
    }
    const stop = new AbortController();
    const probe = async () => {
      const there = await serverAnswers(stop.signal);
      if (stop.signal.aborted) return;
      if (!there) setAway(true);
      else if (away) reloadPage();
    };
    void probe();
    const timer = setInterval(() => void probe(), PROBE_MS);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [online, away]);
  return away;
}

/** A page whose chunks failed to load: shows an error, and reloads when the network is back. */
export function UnfetchedPage() {
  const away = useReloadOnReturn();
  usePageMeta({ title: away ? t`No connection` : t`Page not loaded` });
  return (
    <div className="container not-found">
      <h1 tabIndex={-1}>{away ? t`You are offline` : t`This page could not be loaded`}</h1>
      <p className="text-muted">
        {away
          ? t`We cannot be reached at the moment. This page opens automatically as soon as the connection is back; nothing is lost.`
          : t`A part of this page did not load. Please try again.`}
      </p>
      <div className="d-flex gap-3">
        <Button onClick={reloadPage}>{t`Try again`}</Button>
      </div>
    </div>
  );
}

/** One line above every page while there is no network, or while a standby answers. */
export function OfflineNotice() {
  const online = useOnline();
  const standby = useStandby();
  if (online && !standby) return null;
  return (
    <p role="alert" className="offline-notice container">
      {online
        ? t`Nothing can be saved at the moment, and what you see may be some seconds old. Please try again in a minute.`
        : t`You are offline. What you see stays on the screen and is updated when you are back online.`}
    </p>
  );
}
