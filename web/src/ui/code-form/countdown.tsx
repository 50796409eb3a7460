import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useBrowserCheck } from '@/lib/checking';
import { explain } from '@/lib/api/errors';

/** Seconds as mm:ss. */
function clockText(seconds: number): string {
  const part = (value: number) => String(value).padStart(2, '0');
  return `${part(Math.floor(seconds / 60))}:${part(seconds % 60)}`;
}

function secondsLeft(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

export interface ResendProps {
  /** When another code can be requested, in milliseconds since 1970. */
  resendAt: number;
  pending: boolean;
  onResend: () => void;
  /** Why the last request for another code failed; null if it did not. */
  problem: unknown;
}

/** Counts down to "Resend"; only its appearance and the progress of the browser check are announced. */
export function Resend({ resendAt, pending, onResend, problem }: ResendProps) {
  const check = useBrowserCheck();
  const checking = pending ? check : '';
  const [left, setLeft] = useState(() => secondsLeft(resendAt));
  useEffect(() => {
    setLeft(secondsLeft(resendAt));
    const timer = setInterval(() => setLeft(secondsLeft(resendAt)), 250);
    return () => clearInterval(timer);
  }, [resendAt]);

  return (
    <div className="resend">
      {left > 0 ? (
        <p>
          <Trans>
            <Trans>
              Resend the code in <span className="tabular">{clockText(left)}</span>
            </Trans>
          </Trans>
        </p>
      ) : (
        <>
          <span>{t`No code yet?`}</span>
          <button
            type="button"
            className="btn-text"
            aria-disabled={pending || undefined}
            onClick={() => !pending && onResend()}
          >
            {pending && <span className="spinner me-2" aria-hidden="true" />}
            {t`Resend`}
          </button>
        </>
      )}
      <span role="status" className={checking ? 'text-muted' : 'visually-hidden'}>
        {checking || (left === 0 ? t`You can resend now` : '')}
      </span>
      {Boolean(problem) && !pending && (
        <p role="alert" className="resend-problem text-danger text-sm">
          {t`No new code was sent. ${explain(problem)}`}
        </p>
      )}
    </div>
  );
}
