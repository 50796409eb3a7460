import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { components } from '@/lib/api/schema.gen';
import { language } from '@/lib/language';
import { textIn } from '@/lib/languages';
import './announcement.scss';

type Shown = components['schemas']['ShownAnnouncement'];

/** Key of the local storage entry with the announcement that was closed in this browser. */
const CLOSED_KEY = 'announcement-closed';

/** A changed text is shown again to who closed the older one. */
const nameOf = ({ id, revision }: Shown) => `${id}.${revision}`;

function closedName(): string | null {
  try {
    return localStorage.getItem(CLOSED_KEY);
  } catch {
    return null;
  }
}

async function fetchShown(signal: AbortSignal): Promise<Shown | null> {
  const answer = await fetch('/api/franchise/announcement', { signal, headers: { Accept: 'application/json' } });
  if (!answer.ok) return null;
  const { data } = (await answer.json()) as { data: { announcement: Shown | null } };
  return data.announcement;
}

/**
 * What the operator tells everybody, at the foot of the window: it lies over the page and moves nothing. Without an announcement, or
 * where it cannot be fetched, nothing is shown.
 */
export function Announcement() {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    const ends = new AbortController();
    fetchShown(ends.signal).then(
      (found) => setShown(found && nameOf(found) !== closedName() ? found : null),
      () => undefined,
    );
    return () => ends.abort();
  }, []);
  const close = () => {
    if (!shown) return;
    try {
      localStorage.setItem(CLOSED_KEY, nameOf(shown));
    } catch {
      // It comes again with the next page.
    }
    setShown(null);
  };
  const text = shown && textIn(shown.texts, language);
  return (
    <div role="status" className={shown ? `announcement announcement-${shown.level}` : 'visually-hidden'}>
      {shown && (
        <>
          <p>
            {shown.level === 'warning' && <strong>{t`Please note:`} </strong>}
            {shown.link ? <Link to={shown.link}>{text}</Link> : text}
          </p>
          <button type="button" className="btn btn-quiet btn-sm" onClick={close}>
            {t`Close`}
          </button>
        </>
      )}
    </div>
  );
}
