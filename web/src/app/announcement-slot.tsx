import { useEffect, useState, type ComponentType } from 'react';
import { useLocation } from 'react-router';

/** The first moments of a page are its own. */
const AFTER_MS = 1500;

/**
 * The operator's announcement, loaded after the page; not on the console. If loading fails, the page is unaffected, and loading is retried
 * when the network returns.
 */
export function AnnouncementSlot() {
  const onConsole = useLocation().pathname.startsWith('/support');
  const [Announcement, setAnnouncement] = useState<ComponentType>();
  useEffect(() => {
    if (onConsole) return undefined;
    let left = false;
    const load = () => {
      import('@/domain/announcement/announcement')
        .then(({ Announcement: loaded }) => {
          if (!left) setAnnouncement(() => loaded);
        })
        .catch(() => {
          if (!left) window.addEventListener('online', load, { once: true });
        });
    };
    const timer = setTimeout(load, AFTER_MS);
    return () => {
      left = true;
      clearTimeout(timer);
      window.removeEventListener('online', load);
    };
  }, [onConsole]);
  return Announcement && !onConsole ? <Announcement /> : null;
}
