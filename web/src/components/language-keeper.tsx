import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { keepLanguage, keptLanguage } from '@/lib/api/language';
import { chooseLanguage, chosenLanguage, language, pathIn } from '@/lib/language';
import { DEFAULT_LANGUAGE, type LanguageCode } from '@/lib/languages';
import { openAfresh } from '@/lib/reload';
import { useSession } from '@/lib/session/session';

const COMPARED_KEY = 'franchise360-language-kept';

/** What this browser was told to read: by the switch, else by an address in another language than the site's own. */
export function wantedLanguage(): LanguageCode | null {
  return chosenLanguage() ?? (language === DEFAULT_LANGUAGE ? null : language);
}

/** Once for each person and language of a tab; always again where storage is blocked. */
function comparedBefore(mark: string): boolean {
  try {
    const before = sessionStorage.getItem(COMPARED_KEY) === mark;
    sessionStorage.setItem(COMPARED_KEY, mark);
    return before;
  } catch {
    return false;
  }
}

function forgetComparison(): void {
  try {
    sessionStorage.removeItem(COMPARED_KEY);
  } catch {
    // It was not remembered either.
  }
}

/**
 * Brings browser and account together after a sign-in: what was chosen here is kept in the account, and where nobody
 * chose, the page is opened in the account's language. A failure changes nothing; the next page tries again.
 */
export function LanguageKeeper() {
  const { user } = useSession();
  const { pathname, search, hash } = useLocation();
  const id = user?.id;
  const place = pathname + search + hash;
  useEffect(() => {
    const wanted = wantedLanguage();
    if (!id || comparedBefore(`${id} ${wanted ?? ''}`)) return;
    const compare = async () => {
      const kept = await keptLanguage();
      if (wanted && kept !== wanted) await keepLanguage(wanted);
      if (wanted || !kept) return;
      chooseLanguage(kept);
      if (kept !== language) openAfresh(pathIn(kept, place));
    };
    compare().catch(forgetComparison);
    // The place of the first comparison counts; a step to another page does not begin a new one.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
  return null;
}
