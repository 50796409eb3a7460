import { t } from '@lingui/core/macro';
import { ButtonLink } from '@/ui/button';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { useSession } from '@/lib/session/session';
import type { components } from '@/lib/api/schema.gen';
import { retryPath } from '../result';

export interface TryAgainProps {
  result: components['schemas']['PaymentState'];
  /** The target of the other link. */
  to?: string;
  other?: string;
}

/** Links to another attempt with the choice kept; while an erasure is scheduled, explains why paying is not possible. */
export function TryAgain({ result, to = '/helpcenter', other = t`Help & Support` }: TryAgainProps) {
  const { eraseOn } = useSession();
  return (
    <>
      <LeavingNotice />
      <div className="result-actions">
        {!eraseOn && <ButtonLink to={retryPath(result)} size="lg">{t`Try Again`}</ButtonLink>}
        <ButtonLink to={to} variant="outline" size="lg">
          {other}
        </ButtonLink>
      </div>
      {!eraseOn && <p className="text-muted text-sm">{t`Your choice is kept.`}</p>}
    </>
  );
}
