import { t } from '@lingui/core/macro';
import { Outlet, useMatches } from 'react-router';
import { LanguageOffer } from '@/ui/language-offer';
import { language, languageTag } from '@/lib/language';
import { DEFAULT_LANGUAGE, languages } from '@/lib/languages';
import { SiteFooter } from './site-footer';
import { SiteHeader } from './site-header';

/** Whether the route says that its text is in the catalogues; the others are read in English. */
function useTranslated(): boolean {
  const matches = useMatches();
  return matches.some(({ handle }) => (handle as { translated?: boolean } | undefined)?.translated);
}

/** Header, page and footer: the layout of every screen of the site and the account. */
export function SiteLayout() {
  const translated = useTranslated();
  const english = !translated && language !== DEFAULT_LANGUAGE;
  return (
    <>
      <a className="skip-link" href="#content">{t`Skip to content`}</a>
      <SiteHeader />
      {translated && <LanguageOffer />}
      {english && (
        <aside className="untranslated" lang={languageTag} aria-label={t`Language of this page`}>
          <p className="container">{t`This page is in English for now.`}</p>
        </aside>
      )}
      <main id="content" tabIndex={-1} lang={english ? languages[DEFAULT_LANGUAGE].tag : undefined}>
        <Outlet />
      </main>
      <SiteFooter />
    </>
  );
}
