import { ButtonLink } from '@/components/button';
import { LeavingNotice } from '@/components/erasure/leaving';
import { useSession } from '@/lib/session/session';
import type { components } from '@/lib/api/schema.gen';
import { retryPath } from '../result';

export interface TryAgainProps {
  result: components['schemas']['PaymentState'];
  /** The other way on. */
  to?: string;
  other?: string;
}

/** The way to another attempt, with the choice kept; while the account is to be erased there is none, and it says why. */
export function TryAgain({ result, to = '/helpcenter', other = 'Help & Support' }: TryAgainProps) {
  const { eraseOn } = useSession();
  return (
    <>
      <LeavingNotice />
      <div className="result-actions">
        {!eraseOn && (
          <ButtonLink to={retryPath(result)} size="lg">
            Try Again
          </ButtonLink>
        )}
        <ButtonLink to={to} variant="outline" size="lg">
          {other}
        </ButtonLink>
      </div>
      {!eraseOn && <p className="text-muted text-sm">Your choice is kept.</p>}
    </>
  );
}
