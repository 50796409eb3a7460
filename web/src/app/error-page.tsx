import { t } from '@lingui/core/macro';
import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Button, ButtonLink } from '@/ui/button';
import { usePageMeta } from '@/lib/page-meta';
import { NotFoundPage } from './not-found-page';
import { isUnfetched, UnfetchedPage } from './offline';

function describe(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`.trim();
  if (error instanceof Error) return error.message;
  return t`Something went wrong. Please try again.`;
}

/** The fallback for any error that a page did not handle itself. */
export function ErrorPage() {
  const error = useRouteError();
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return isUnfetched(error) ? <UnfetchedPage /> : <Unexpected error={error} />;
}

function Unexpected({ error }: { error: unknown }) {
  usePageMeta({ title: t`Error` });
  return (
    <div className="container not-found">
      <h1 tabIndex={-1}>{t`Something went wrong on this page`}</h1>
      <p className="text-muted">{t`Please try again. If it happens again, tell us the page and what stands below.`}</p>
      <details className="text-muted">
        <summary>{t`Details for our support team`}</summary>
        <code>{describe(error)}</code>
      </details>
      <div className="d-flex gap-3">
        <Button onClick={() => window.location.reload()}>{t`Try again`}</Button>
        <ButtonLink to="/" variant="outline" reloadDocument>{t`Go to Homepage`}</ButtonLink>
      </div>
    </div>
  );
}

/** The same if not even the layout could be rendered. */
export function RootErrorPage() {
  return (
    <main>
      <ErrorPage />
    </main>
  );
}
