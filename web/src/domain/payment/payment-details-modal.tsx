import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '@/lib/api/schema.gen';
import { explain, type ApiError } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { LeavingNotice } from '../erasure/leaving';
import { Modal } from '@/ui/modal';
import { Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { WayOn } from '@/ui/way-on';
import { previewQuery, type Charge } from './charge';
import { UndecidedDebitNotice, warnedOf } from './debit-notice';
import { ConfirmingNotice, useConfirming } from './confirming-notice';
import { PartByTransfer } from './part-by-transfer';
import { PayButton } from './pay-button';
import { Preference } from './preference';
import { PreviewLines } from './preview-lines';
import { meaning } from './meaning';
import { PaymentProblem } from './payment-problem';
import { EndingNotice } from './ending-notice';
import { isRefusal } from './refusal';
import { TransferOffer } from './transfer-offer';
import type { Payment } from './use-payment';
import './payment.scss';

type PaymentPreview = components['schemas']['PaymentPreview'];

export interface PaymentDetailsModalProps {
  open: boolean;
  charge: Charge;
  payment: Payment;
  /** The URL that leads back here, e.g. after entering the business address. */
  back: string;
  /** What a change of the plan undoes, if anything. */
  warning?: ReactNode;
  onClose: () => void;
}

function payLabel(charge: Charge, { kind, expected_total, total }: PaymentPreview): string {
  if (expected_total === 0) return kind === 'downgrade' ? t`Schedule the change` : t`Confirm`;
  return charge.of === 'plan' ? t`Pay ${total}` : t`Make Payment · ${total}`;
}

function Refusal({ error, back }: { error: ApiError; back: string }) {
  return (
    <Notice tone="warning" live>
      <p>{explain(error)}</p>
      <WayOn to={error.redirectTo} back={back} className="mt-3" />
    </Notice>
  );
}

/** Warns before the purchase that the plan allows fewer franchises than there are. */
function TooManyFranchises({ franchises }: Pick<PaymentPreview, 'franchises'>) {
  if (!franchises || franchises.current <= franchises.limit) return null;
  const { current, limit } = franchises;
  return (
    <Notice tone="warning">{t`You have ${current} franchises and this plan allows ${limit}. None is removed, but no more can be added until there are fewer, or you buy franchise extensions.`}</Notice>
  );
}

/** The charge before it is made: every line, GST, the total, the next renewal, and the button that pays exactly that. */
export function PaymentDetailsModal({ open, charge, payment, back, warning, onClose }: PaymentDetailsModalProps) {
  const { eraseOn } = useSession();
  const preview = useQuery({ ...previewQuery(charge), enabled: open && !eraseOn });
  const details = preview.data;
  const confirming = useConfirming(false);
  // No second payment while the first one is being confirmed.
  const held = confirming.length > 0 && (details?.expected_total ?? 0) > 0;
  const handleClose = () => {
    payment.reset();
    onClose();
  };
  const debit = details && details.expected_total > 0 ? details.undecided_debit : null;
  const attempt = warnedOf(debit, payment);
  const refused = attempt.problem !== null && isRefusal(attempt.problem);
  const footer = details && !eraseOn && (
    <>
      <PaymentProblem payment={attempt} back={back} />
      {debit && !held && <UndecidedDebitNotice debit={debit} />}
      {held && <ConfirmingNotice payments={confirming} />}
      {!refused && !held && (
        <PayButton
          label={debit ? t`Pay anyway · ${details.total}` : payLabel(charge, details)}
          pending={payment.pending}
          onPay={() => payment.pay(charge, details.expected_total, debit !== null)}
        />
      )}
    </>
  );
  return (
    <Modal
      open={open}
      title={t`Payment Details`}
      onClose={handleClose}
      closeOnBackdrop={!payment.pending}
      footer={footer}
    >
      <div className="stack-sm">
        <LeavingNotice />
        {!eraseOn && (
          <Async
            query={preview}
            what={t`the payment details`}
            lines={6}
            back={back}
            explained={(error) => isRefusal(error) && <Refusal error={error} back={back} />}
          />
        )}
        {details && (
          <>
            <p className="text-lg fw-bold">{details.subscribe_plan.label}</p>
            <PreviewLines label={t`The charge, line by line`} lines={details.payment_details} />
            {details.renewal_details && (
              <>
                <p className="fw-bold">{t`Then, for the term from ${formatDate(details.effective_on)}`}</p>
                <PreviewLines label={t`The term after the change, line by line`} lines={details.renewal_details} />
              </>
            )}
            <p className="text-muted text-sm">{meaning(details)}</p>
            {details.by_transfer && <PartByTransfer />}
            {details.expected_total > 0 && <Preference upiLimit={details.upi_limit} />}
            {details.by_transfer && charge.of !== 'add-ons' && !held && (
              <TransferOffer
                charge={charge}
                expectedTotal={details.expected_total}
                back={back}
                despiteDebit={debit !== null}
              />
            )}
            <EndingNotice addOns={details.ending_add_ons} />
            {charge.of === 'plan' && warning}
            <TooManyFranchises franchises={details.franchises} />
            {details.gateway_details && (
              <Notice>{t`You started this payment earlier. It continues where you left off; nothing is charged twice.`}</Notice>
            )}
          </>
        )}
      </div>
    </Modal>
  );
}
