import { createContext, useContext, useEffect } from 'react';
import { languageBase, pathIn } from './language';
import { languageCodes, languages } from './languages';
import { documentTitle } from './site';

/** The metadata of a page for the document's head. */
export interface PageMeta {
  /** The page's name, absent for the home page. */
  title?: string;
  description?: string;
}

/** Collects a page's metadata while it is prerendered; absent in the browser. */
export const PageMetaContext = createContext<((meta: PageMeta) => void) | null>(null);

/** The addresses by which search engines know the page, after a step from the page that the document was opened with. */
function showAddresses(): void {
  const { origin, pathname } = window.location;
  const address = pathname.replace(/(.)\/+$/, '$1');
  const path = address.slice(languageBase.length) || '/';
  const canonical = document.querySelector('link[rel="canonical"]');
  // A page that was not translated came with the address of the English one.
  if (languageBase && canonical?.getAttribute('href') === origin + path) return;
  canonical?.setAttribute('href', origin + address);
  for (const code of languageCodes)
    document
      .querySelector(`link[rel="alternate"][hreflang="${languages[code].tag}"]`)
      ?.setAttribute('href', origin + pathIn(code, path));
}

/** Sets the document's title ("Page – Franchise 360"), description and canonical address. */
export function usePageMeta({ title, description }: PageMeta): void {
  const collect = useContext(PageMetaContext);
  collect?.({ title, description });
  useEffect(() => {
    document.title = documentTitle(title);
    const tag = document.querySelector('meta[name="description"]');
    if (description && tag) tag.setAttribute('content', description);
    showAddresses();
  }, [title, description]);
}
