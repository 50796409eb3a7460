import { useState } from 'react';
import { Link } from 'react-router';
import { ChoicesField } from '@/ui/form/choices-field';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { closeDispute, requestReversal, type Trail } from '../api/help';
import { useMay } from '../api/rights';
import { gatewayName, rupees } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { Offer } from '../shared/offer';

type Dispute = Trail['disputes'][number];
type Outcome = 'won' | 'dismissed' | 'lost';

const endings: Record<Outcome, [says: string, label: string]> = {
  won: ['It was won: the money stays ours', 'Close as won'],
  dismissed: ['The gateway knows of no such dispute', 'Dismiss it'],
  lost: ['It was lost: the bank keeps the money', 'Book the loss'],
};

interface DialogProps {
  dispute: Dispute;
  payment: Trail['payment'];
  onClose: () => void;
}

function CloseDialog({ dispute, payment, onClose }: DialogProps) {
  const [key] = useState(newIdempotencyKey);
  const at = gatewayName(payment.gateway);
  const act = (reason: string, _: unknown, { outcome }: { outcome: Outcome | null }): Promise<{ message: string }> =>
    outcome === 'lost'
      ? requestReversal(
          {
            customer_id: payment.customer_id,
            payment_id: payment.id,
            kind: 'chargeback',
            dispute_id: dispute.gateway_dispute_id,
            amount: dispute.amount_paise,
            reason,
          },
          key,
        )
      : closeDispute(dispute.id, { customer_id: payment.customer_id, outcome: outcome!, reason });
  return (
    <ReasonDialog
      title={`How did dispute ${dispute.gateway_dispute_id} end?`}
      effect={({ outcome }) => (
        <p>
          Look it up at {at} first.{' '}
          {outcome === 'lost'
            ? `${rupees(dispute.amount_paise)} is booked as taken by the bank, and once all of the payment is gone what it bought ends.${dispute.confirmed ? '' : ` ${at} has not confirmed this dispute, so a second admin has to approve it.`}`
            : 'No money moves by this.'}
        </p>
      )}
      label={({ outcome }) => (outcome ? endings[outcome][1] : 'Close the dispute')}
      values={{ outcome: null as Outcome | null }}
      problemsOf={({ outcome }) => ({ outcome: outcome ? undefined : `Choose what ${at} shows.` })}
      act={act}
      onClose={onClose}
    >
      <ChoicesField
        name="outcome"
        label={`What ${at} shows`}
        options={(Object.keys(endings) as Outcome[]).map((one) => [one, endings[one][0]])}
      />
    </ReasonDialog>
  );
}

interface DisputeCloseProps {
  dispute: Dispute;
  /** The unfinished request caused by the dispute. */
  request: Trail['requests'][number] | undefined;
  payment: Trail['payment'];
}

/**
 * Lets an admin record how an open dispute ended according to the gateway. A loss is booked; above the limit a second admin approves it.
 */
export function DisputeClose({ dispute, request, payment }: DisputeCloseProps) {
  const money = useMay('money');
  const [open, setOpen] = useState(false);
  if (request)
    return (
      <p>
        {request.state === 'waiting' ? (
          <>
            {request.requested_by} asked for the loss to be booked.{' '}
            <Link to="/support/approvals?state=waiting">A second admin has to approve it.</Link>
          </>
        ) : (
          'The loss is being booked.'
        )}
      </p>
    );
  if (dispute.state !== 'open' || !money) return null;
  return (
    <>
      <Offer onClick={() => setOpen(true)}>Say how it ended</Offer>
      {open && <CloseDialog dispute={dispute} payment={payment} onClose={() => setOpen(false)} />}
    </>
  );
}
