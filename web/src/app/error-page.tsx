import { isRouteErrorResponse, useRouteError } from 'react-router';
import { Button, ButtonLink } from '@/components/button';
import { usePageMeta } from '@/lib/page-meta';
import { NotFoundPage } from './not-found-page';

function describe(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`.trim();
  if (error instanceof Error) return error.message;
  return 'Something went wrong. Please try again.';
}

/** The last resort for anything that a page did not handle itself. */
export function ErrorPage() {
  const error = useRouteError();
  usePageMeta({ title: 'Error' });
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />;
  return (
    <div className="container not-found">
      <h1 tabIndex={-1}>Unexpected Application Error!</h1>
      <p className="text-muted">{describe(error)}</p>
      <div className="d-flex gap-3">
        <Button onClick={() => window.location.reload()}>Try again</Button>
        <ButtonLink to="/" variant="outline" reloadDocument>
          Go to Homepage
        </ButtonLink>
      </div>
    </div>
  );
}

/** The same where not even the frame could be drawn. */
export function RootErrorPage() {
  return (
    <main>
      <ErrorPage />
    </main>
  );
}
