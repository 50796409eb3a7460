import { t } from '@lingui/core/macro';
import InboxIcon from 'bootstrap-icons/icons/inbox.svg?component';
import ErrorIcon from 'bootstrap-icons/icons/exclamation-octagon.svg?component';
import type { ComponentType, ReactNode, SVGProps } from 'react';
import { explain, toApiError, type ApiError } from '@/lib/api/errors';
import { useSlow } from '@/lib/use-slow';
import { Button } from './button';
import { WayOn } from './way-on';

export interface EmptyStateProps {
  title: string;
  /** Whether the title is the heading of the page, because the page has no other. */
  alone?: boolean;
  /** Why it is empty, or what to do next. */
  children?: ReactNode;
  icon?: ComponentType<SVGProps<SVGSVGElement>>;
  action?: ReactNode;
}

/** An empty state: why there is nothing, and what to do next. */
export function EmptyState({ title, alone, children, icon: Icon = InboxIcon, action }: EmptyStateProps) {
  const Title = alone ? 'h1' : 'p';
  return (
    <div className="empty-state">
      <Icon />
      <Title className="text-lg fw-bold">{title}</Title>
      {children && <p className="text-muted">{children}</p>}
      {action}
    </div>
  );
}

export interface ErrorStateProps {
  error: unknown;
  onRetry: () => void;
  /** The name of what failed to load, e.g. "your store". */
  what?: string;
  /** The screen's URL, for a link that leads back here. */
  back?: string;
  /** A toast tells the reason. */
  toasted?: boolean | undefined;
}

/** A failed load: what happened, a retry button, and the request id for support. */
export function ErrorState({ error, onRetry, what, back, toasted }: ErrorStateProps) {
  const { code, requestId, redirectTo } = toApiError(error);
  // A retry cannot change the permissions of a staff role.
  if (code === 'staff_role')
    return (
      <div className="empty-state" role="alert">
        <p className="text-lg fw-bold">{explain(error)}</p>
      </div>
    );
  return (
    <div className="empty-state" role="alert">
      <ErrorIcon />
      <p className="text-lg fw-bold">{what ? t`We could not load ${what}.` : t`This could not be loaded.`}</p>
      {!toasted && <p className="text-muted">{explain(error)}</p>}
      <div className="d-flex flex-wrap justify-content-center gap-3">
        <WayOn to={redirectTo} back={back} />
        <Button variant="outline" size={redirectTo ? 'sm' : 'md'} onClick={onRetry}>{t`Retry`}</Button>
      </div>
      {requestId && <p className="text-muted text-sm">{t`Request id: ${requestId}`}</p>}
    </div>
  );
}

export interface LoadingProps {
  /** The name of the loading data, e.g. "your store"; announced. */
  what: string;
  /** The skeleton, hidden from assistive technology. */
  children: ReactNode;
  onRetry?: () => void;
}

/** Skeletons with one announced status; after 10 s it says that loading continues, after 30 s it offers Retry. */
export function Loading({ what, children, onRetry }: LoadingProps) {
  const patience = useSlow(true);
  return (
    <div>
      <p role="status" className={patience === 'fine' ? 'visually-hidden' : 'text-muted mb-3'}>
        {patience === 'fine' ? t`Loading ${what}` : t`Still working: loading ${what} takes longer than usual.`}
      </p>
      {patience === 'stuck' && onRetry && (
        <Button variant="outline" size="sm" className="mb-3" onClick={onRetry}>{t`Retry`}</Button>
      )}
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

/** A grey block as a placeholder, `lines` times 24 px high. */
export function Skeleton({ lines = 1, width }: { lines?: 1 | 2 | 3 | 4 | 6 | 8; width?: 'half' | 'third' }) {
  return <span className={`skeleton skeleton-${lines} ${width ? `skeleton-${width}` : ''}`} />;
}

export interface AsyncProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  /** The name of the data, e.g. "the queues". */
  what: string;
  /** The height of the placeholder, as for `Skeleton`. */
  lines?: 1 | 2 | 3 | 4 | 6 | 8;
  /** A placeholder of another shape. */
  skeleton?: ReactNode;
  /** Reports a failed refresh even though older data is shown. */
  tellStale?: boolean;
  /** What to show if the server has no such thing: an address that is wrong or out of date. */
  missing?: ReactNode;
  /** What to show for another failure that the page explains itself; nothing for any other. */
  explained?: (error: ApiError) => ReactNode;
  back?: string;
  /** A toast tells why loading failed. */
  toasted?: boolean;
  /** Shows the loaded data, unless the page does so itself. */
  children?: (data: T) => ReactNode;
}

/** The data of a query; while there is none, that it is loading, or why loading failed. */
export function Async<T>({
  query,
  what,
  lines = 4,
  skeleton,
  tellStale,
  missing,
  explained,
  back,
  toasted,
  children,
}: AsyncProps<T>) {
  const { data, error } = query;
  const handleRetry = () => void query.refetch();
  if (data === undefined && !error)
    return (
      <Loading what={what} onRetry={handleRetry}>
        {skeleton === undefined ? <Skeleton lines={lines} /> : skeleton}
      </Loading>
    );
  return (
    <>
      {Boolean(error) &&
        (data === undefined || tellStale) &&
        ((missing && toApiError(error).status === 404 && missing) || explained?.(toApiError(error)) || (
          <ErrorState error={error} what={what} {...(back && { back })} toasted={toasted} onRetry={handleRetry} />
        ))}
      {data !== undefined && children?.(data)}
    </>
  );
}
