import { ButtonLink } from '../button';
import { toApiError } from '@/lib/api/errors';
import { redirectPath } from '@/lib/session/redirect';

/** The way to cancel the erasure of the account, where that is why nothing is sold. */
export function KeepAccount({ problem }: { problem: unknown }) {
  const failure = toApiError(problem);
  if (failure.code !== 'erasure_scheduled') return null;
  return (
    <ButtonLink className="d-block mt-2" size="sm" to={redirectPath(failure.redirectTo) ?? '/account/security'}>
      Keep my account
    </ButtonLink>
  );
}
