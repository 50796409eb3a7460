import { Button } from '@/components/button';
import { Notice } from '@/components/notice';
import { isRefusal } from '@/components/payment/refusal';
import { WayOn } from '@/components/way-on';
import { gstPercent } from '@/content/gst';
import { explain, type ApiError } from '@/lib/api/errors';
import type { Total } from '../total';

export interface PlanBarProps {
  /** Plan, service and period, e.g. "Growth · Apex, annual". */
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
    <div className="plan-bar" role="region" aria-label="Your choice">
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
          {mayBuy && (
            <button type="button" className="btn-text text-sm" onClick={onDetails}>
              View Details
            </button>
          )}
        </div>
        <p className="plan-bar-total" role="status">
          {error ? (
            <span className="text-danger text-sm">
              The price could not be loaded.{' '}
              <button type="button" className="btn-text" onClick={total.retry}>
                Retry
              </button>
            </span>
          ) : (
            <>
              <span className="visually-hidden">Total </span>
              <strong className={`tabular ${updating ? 'is-updating' : ''}`}>{preview ? preview.total : '…'}</strong>
              <span className="text-muted text-sm">
                {preview && (preview.expected_total > 0 ? `with ${gstPercent}% GST` : 'to pay now')}
              </span>
            </>
          )}
        </p>
        {payable && (
          <Button size="lg" pending={pending} onClick={onPay}>
            Secure Payment
          </Button>
        )}
      </div>
    </div>
  );
}
