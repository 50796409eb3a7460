import { useLocation } from 'react-router';
import { chooseLanguage, language, pathIn } from '@/lib/language';
import { languages, type LanguageCode } from '@/lib/languages';
import { useHydrated } from '@/lib/session/session';

/** Leads to the same page in each other language, by a document of its own, and remembers the choice. */
export function LanguageSwitch({ className = '' }: { className?: string }) {
  const { pathname, search, hash } = useLocation();
  // What stands behind the path is known in the browser only.
  const place = useHydrated() ? pathname + search + hash : pathname;
  const others = (Object.keys(languages) as LanguageCode[]).filter((code) => code !== language);
  return others.map((code) => (
    <a
      key={code}
      className={`language-switch ${className}`}
      href={pathIn(code, place)}
      hrefLang={languages[code].tag}
      lang={languages[code].tag}
      onClick={() => chooseLanguage(code)}
    >
      {languages[code].name}
    </a>
  ));
}
