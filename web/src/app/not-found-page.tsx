import { t } from '@lingui/core/macro';
import { useLocation } from 'react-router';
import { ButtonLink } from '@/ui/button';
import { usePageMeta } from '@/lib/page-meta';
import { useHydrated } from '@/lib/session/session';

/** Where the "home" link leads below /store and in the console; elsewhere, to the home page. */
const homes: Record<string, string> = { store: '/subscription_store', support: '/support' };

const homeOf = (pathname: string): string => homes[pathname.split('/')[1]?.toLowerCase() ?? ''] ?? '/';

function LostRing() {
  return (
    <svg
      className="not-found-art"
      viewBox="0 0 280 140"
      aria-hidden="true"
      focusable="false"
      fill="none"
      stroke="currentColor"
      strokeWidth="10"
      strokeLinecap="round"
    >
      <path d="M20 90 50 36v72M20 90h44" strokeLinejoin="round" />
      <path d="M216 90l30-54v72M216 90h44" strokeLinejoin="round" />
      <path d="M168 50A38 38 0 1 0 178 72" />
      <circle className="brand-dot" cx="186" cy="34" r="9" stroke="none" />
    </svg>
  );
}

/** The page for unknown addresses. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  // One prerendered page serves every unknown address, so a store's own home is known only after hydration.
  const home = useHydrated() ? homeOf(pathname) : '/';
  usePageMeta({ title: t`Page not found` });
  return (
    <div className="container not-found">
      <LostRing />
      <p className="text-lg fw-bold">{t`Oops..!!`}</p>
      <p className="eyebrow">{t`404 - PAGE NOT FOUND`}</p>
      <h1 tabIndex={-1}>{t`Page not found`}</h1>
      <p className="text-muted">{t`The address may be misspelt, or the page has moved.`}</p>
      <ButtonLink to={home}>{t`Go to Homepage`}</ButtonLink>
    </div>
  );
}
