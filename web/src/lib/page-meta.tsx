import { createContext, useContext, useEffect } from 'react';
import { documentTitle } from './site';

/** The metadata of a page for the document's head. */
export interface PageMeta {
  /** The page's name, absent for the home page. */
  title?: string;
  description?: string;
}

/** Collects a page's metadata while it is prerendered; absent in the browser. */
export const PageMetaContext = createContext<((meta: PageMeta) => void) | null>(null);

/** Sets the document's title ("Page – Franchise 360"), description and canonical address. */
export function usePageMeta({ title, description }: PageMeta): void {
  const collect = useContext(PageMetaContext);
  collect?.({ title, description });
  useEffect(() => {
    document.title = documentTitle(title);
    const tag = document.querySelector('meta[name="description"]');
    if (description && tag) tag.setAttribute('content', description);
    const canonical = document.querySelector('link[rel="canonical"]');
    canonical?.setAttribute('href', window.location.origin + window.location.pathname.replace(/(.)\/+$/, '$1'));
  }, [title, description]);
}
