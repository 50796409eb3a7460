import { useLocation } from 'react-router';
import { chooseLanguage, language, pathIn } from '@/lib/language';
import { languageCodes, languages, type LanguageCode } from '@/lib/languages';
import { useHydrated } from '@/lib/session/session';
import { DisclosureMenu } from './disclosure-menu';

const otherLanguages = languageCodes.filter((code) => code !== language);

interface Props {
  others?: readonly LanguageCode[];
}

/** Links to the same page in each other language, as a full page load, and saves the choice. */
export function LanguageSwitch({ others = otherLanguages }: Props) {
  const { pathname, search, hash } = useLocation();
  // The query and fragment are known only in the browser.
  const place = useHydrated() ? pathname + search + hash : pathname;
  return others.map((code) => (
    <a
      key={code}
      className="language-switch"
      href={pathIn(code, place)}
      hrefLang={languages[code].tag}
      lang={languages[code].tag}
      onClick={() => chooseLanguage(code)}
    >
      {languages[code].name}
    </a>
  ));
}

/** The switch of the header, which has room for one link: more languages are a menu. */
export function HeaderLanguages({ others = otherLanguages }: Props) {
  if (others.length < 2) return <LanguageSwitch others={others} />;
  return (
    <div className="language-menu">
      <DisclosureMenu label={languages[language].name} alignEnd>
        <li>
          <LanguageSwitch others={others} />
        </li>
      </DisclosureMenu>
    </div>
  );
}
