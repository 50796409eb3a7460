import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { isRefusal } from '@/domain/payment/refusal';
import { WayOn } from '@/ui/way-on';
import { gstPercent } from '@/content/gst';
import { explain, type ApiError } from '@/lib/api/errors';
import type { Total } from '../total';

export interface PlanBarProps {
  /** Plan, service and period, e.g. "Growth · Apex, yearly". */
  label: string;
  total: Total;
  pending: boolean;
  /** Why the payment could not be started; null if nothing went wrong. */
  problem: ApiError | null;
  onDetails: () => void;
  onPay: () => void;
}

/** The bar at the bottom: the choice, its price, the details and the pay button. */
export function PlanBar({ label, total, pending, problem, onDetails, onPay }: PlanBarProps) {
  const { preview, updating, error, mayBuy } = total;
  const said = problem ?? total.refusal;
  const payable = mayBuy && !(said && isRefusal(said));
  return (
    <div className="plan-bar" role="region" aria-label={t`Your choice`}>
      {said && (
        <Notice tone={problem ? 'danger' : 'warning'} live>
          {explain(said)}
          <div>
            <WayOn to={said.redirectTo} className="mt-2" />
          </div>
        </Notice>
      )}
      <div className="plan-bar-row">
        <div className="plan-bar-choice">
          <b>{label}</b>
          {mayBuy && <button type="button" className="btn-text text-sm" onClick={onDetails}>{t`View Details`}</button>}
        </div>
        <p className="plan-bar-total" role="status">
          {error ? (
            <span className="text-danger text-sm">
              <Trans>
                The price could not be loaded.{' '}
                <button type="button" className="btn-text" onClick={total.retry}>
                  Retry
                </button>
              </Trans>
            </span>
          ) : (
            <>
              <span className="visually-hidden">{t`Total `}</span>
              <strong className={`tabular ${updating ? 'is-updating' : ''}`}>{preview ? preview.total : '…'}</strong>
              <span className="text-muted text-sm">
                {preview && (preview.expected_total > 0 ? t`with ${gstPercent}% GST` : t`to pay now`)}
              </span>
            </>
          )}
        </p>
        {payable && <Button size="lg" pending={pending} onClick={onPay}>{t`Secure Payment`}</Button>}
      </div>
    </div>
  );
}
