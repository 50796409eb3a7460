import { useLocation } from 'react-router';
import { chooseLanguage, language, pathIn } from '@/lib/language';
import { languageCodes, languages } from '@/lib/languages';
import { useHydrated } from '@/lib/session/session';

/** Links to the same page in each other language, as a full page load, and saves the choice. */
export function LanguageSwitch({ className = '' }: { className?: string }) {
  const { pathname, search, hash } = useLocation();
  // The query and fragment are known only in the browser.
  const place = useHydrated() ? pathname + search + hash : pathname;
  const others = languageCodes.filter((code) => code !== language);
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
