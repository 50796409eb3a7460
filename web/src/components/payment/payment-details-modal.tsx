import { useQuery } from '@tanstack/react-query';
import type { components } from '@/lib/api/schema.gen';
import { explain, toApiError } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { LeavingNotice } from '../erasure/leaving';
import { Modal } from '../modal';
import { Notice } from '../notice';
import { ErrorState, Loading, Skeleton } from '../states';
import { WayOn } from '../way-on';
import { previewQuery, type Charge } from './charge';
import { PayButton } from './pay-button';
import { Preference } from './preference';
import { PreviewLines } from './preview-lines';
import { isRefusal } from './refusal';
import type { Payment } from './use-payment';
import './payment.scss';

type PaymentPreview = components['schemas']['PaymentPreview'];

export interface PaymentDetailsModalProps {
  open: boolean;
  charge: Charge;
  payment: Payment;
  /** The address that brings the person back here, e.g. after giving their business address. */
  back: string;
  onClose: () => void;
}

/** What the charge means in time: from when, until when, what happens then. */
function meaning({ kind, effective_on, plan_renew_on }: PaymentPreview): string {
  const from = formatDate(effective_on);
  const until = formatDate(plan_renew_on);
  switch (kind) {
    case 'upgrade':
      return `Your new plan starts on ${from} and renews on ${until}. The unused days of your present plan come back by a credit note, which pays for part of the new one.`;
    case 'downgrade':
      return `Your present plan stays until its end; the new one starts on ${from}.`;
    case 'renewal':
      return `Your next term starts on ${from} and renews on ${until}.`;
    case 'add_on':
      return `Yours from ${from}, paid by the day to the end of your term. Renews with your plan on ${until}.`;
    default:
      return `Starts on ${from}, renews on ${until}. We never debit by ourselves: we remind you and send you a link to pay.`;
  }
}

function payLabel(charge: Charge, { kind, expected_total, total }: PaymentPreview): string {
  if (expected_total === 0) return kind === 'downgrade' ? 'Schedule the change' : 'Confirm';
  return charge.of === 'plan' ? `Pay ${total}` : `Make Payment · ${total}`;
}

function Problem({ payment, back }: { payment: Payment; back: string }) {
  if (payment.priceChanged) {
    return (
      <Notice tone="warning" live>
        The price has changed since you saw it. These are the new figures; no payment was begun.
      </Notice>
    );
  }
  if (!payment.problem) return null;
  const { requestId, status, redirectTo } = payment.problem;
  return (
    <Notice tone="danger" live>
      {explain(payment.problem)}
      <div>
        <WayOn to={redirectTo} back={back} className="mt-2" />
      </div>
      {status >= 500 && requestId && <span className="d-block text-sm">Request id: {requestId}</span>}
    </Notice>
  );
}

function LoadProblem({ error, back, onRetry }: { error: unknown; back: string; onRetry: () => void }) {
  const { redirectTo } = toApiError(error);
  if (!isRefusal(error)) return <ErrorState error={error} what="the payment details" back={back} onRetry={onRetry} />;
  return (
    <Notice tone="warning" live>
      <p>{explain(error)}</p>
      <WayOn to={redirectTo} back={back} className="mt-3" />
    </Notice>
  );
}

/** Said before the purchase: what is bought holds fewer franchises than there are. */
function TooManyFranchises({ franchises }: Pick<PaymentPreview, 'franchises'>) {
  if (!franchises || franchises.current <= franchises.limit) return null;
  const { current, limit } = franchises;
  return (
    <Notice tone="warning">
      You have {current} franchises and this plan allows {limit}. None is removed, but no more can be added until there
      are fewer, or you buy franchise extensions.
    </Notice>
  );
}

/** The charge before it is made: every line, GST, the total, the next renewal, and the button that pays exactly that. */
export function PaymentDetailsModal({ open, charge, payment, back, onClose }: PaymentDetailsModalProps) {
  const { eraseOn } = useSession();
  const preview = useQuery({ ...previewQuery(charge), enabled: open && !eraseOn });
  const details = preview.data;
  const handleClose = () => {
    payment.reset();
    onClose();
  };
  const refused = payment.problem !== null && isRefusal(payment.problem);
  const footer = details && !eraseOn && (
    <>
      <Problem payment={payment} back={back} />
      {!refused && (
        <PayButton
          label={payLabel(charge, details)}
          pending={payment.pending}
          onPay={() => payment.pay(charge, details.expected_total)}
        />
      )}
    </>
  );
  return (
    <Modal open={open} title="Payment Details" onClose={handleClose} closeOnBackdrop={!payment.pending} footer={footer}>
      <div className="stack-sm">
        <LeavingNotice />
        {preview.isPending && !eraseOn && (
          <Loading what="the payment details" onRetry={() => void preview.refetch()}>
            <Skeleton lines={6} />
          </Loading>
        )}
        {preview.isError && !details && !eraseOn && (
          <LoadProblem error={preview.error} back={back} onRetry={() => void preview.refetch()} />
        )}
        {details && (
          <>
            <p className="text-lg fw-bold">{details.subscribe_plan.label}</p>
            <PreviewLines label="The charge, line by line" lines={details.payment_details} />
            {details.renewal_details && (
              <>
                <p className="fw-bold">Then, for the term from {formatDate(details.effective_on)}</p>
                <PreviewLines label="The term after the change, line by line" lines={details.renewal_details} />
              </>
            )}
            <p className="text-muted text-sm">{meaning(details)}</p>
            {details.expected_total > 0 && <Preference back={back} />}
            <TooManyFranchises franchises={details.franchises} />
            {details.gateway_details && (
              <Notice>You began this payment before. It goes on where you left it; nothing is charged twice.</Notice>
            )}
          </>
        )}
      </div>
    </Modal>
  );
}
