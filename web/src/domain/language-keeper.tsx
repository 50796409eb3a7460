import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { keepLanguage, keptLanguage } from '@/lib/api/language';
import { chooseLanguage, chosenLanguage, language, pathIn } from '@/lib/language';
import { DEFAULT_LANGUAGE } from '@/lib/languages';
import { openAfresh } from '@/lib/reload';
import { useSession } from '@/lib/session/session';

const COMPARED_KEY = 'franchise360-language-kept';

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
 * Synchronises browser and account after a sign-in: a language chosen here is saved in the account. Without a choice, a page
 * in the default language opens in the account's language. The URL of a page is no choice: it changes nothing in the account. A failure
 * changes nothing; the next page retries.
 */
export function LanguageKeeper() {
  const { user } = useSession();
  const { pathname, search, hash } = useLocation();
  const id = user?.id;
  const place = pathname + search + hash;
  useEffect(() => {
    const wanted = chosenLanguage();
    if (!id || comparedBefore(`${id} ${wanted ?? ''}`)) return;
    const compare = async () => {
      const kept = await keptLanguage();
      if (wanted && kept !== wanted) await keepLanguage(wanted);
      if (wanted || !kept || (language !== DEFAULT_LANGUAGE && kept !== language)) return;
      chooseLanguage(kept);
      if (kept !== language) openAfresh(pathIn(kept, place));
    };
    compare().catch(forgetComparison);
    // The place of the first comparison counts; a step to another page does not begin a new one.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [id]);
  return null;
}
