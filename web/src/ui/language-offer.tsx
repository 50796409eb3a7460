import { useState } from 'react';
import { useLocation } from 'react-router';
import { chooseLanguage, chosenLanguage, language, pathIn } from '@/lib/language';
import { DEFAULT_LANGUAGE, isLanguage, languages, type LanguageCode } from '@/lib/languages';
import { useHydrated } from '@/lib/session/session';

/** The first language of the browser that the site has. */
function preferred(): LanguageCode | undefined {
  return navigator.languages.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLanguage);
}

/** Offers the browser's language once, on pages in the default language, if the user has not chosen a language. Either answer is saved. */
export function LanguageOffer() {
  const { pathname, search, hash } = useLocation();
  const hydrated = useHydrated();
  const [answered, setAnswered] = useState(false);
  if (!hydrated || answered || language !== DEFAULT_LANGUAGE || chosenLanguage()) return null;
  const code = preferred();
  const said = code && code !== language && languages[code].offer;
  if (!said) return null;
  const { tag } = languages[code];
  const handleDecline = () => {
    chooseLanguage(language);
    setAnswered(true);
  };
  return (
    <aside className="language-offer" lang={tag} aria-label={languages[code].name}>
      <p className="container">
        <span>{said.text}</span>
        <a href={pathIn(code, pathname + search + hash)} hrefLang={tag} onClick={() => chooseLanguage(code)}>
          {said.accept}
        </a>
        <button type="button" className="btn-text" onClick={handleDecline}>
          {said.decline}
        </button>
      </p>
    </aside>
  );
}
