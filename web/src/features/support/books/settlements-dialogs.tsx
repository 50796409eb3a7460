import { acknowledgeDifference, compareSettlements, type SettlementDifference } from '../api/help';
import { rupees } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { nameOf, type Again } from './settlements-days';

interface DialogProps<Subject> {
  of: Subject;
  onClose: () => void;
}

/** Acknowledges a difference that nothing will ever clear, removing it from the open ones. */
export function AcknowledgeDialog({ of, onClose }: DialogProps<SettlementDifference>) {
  return (
    <ReasonDialog
      title={`Acknowledge the difference of ${of.transaction_id || nameOf(of)}?`}
      label="Acknowledge"
      suggestions={[
        'Settled with the gateway by hand',
        'The customer was paid by bank transfer',
        'The gateway confirmed it as it is',
      ]}
      effect={
        <p>
          {of.meaning} Our books have {rupees(of.ours_paise)}, the gateway {rupees(of.theirs_paise)}. Nothing is booked
          by this: it stays as it is and counts as open no longer, with your name and reason beside it. Another amount
          opens it again.
        </p>
      }
      act={(reason) => acknowledgeDifference(of.id, reason)}
      onClose={onClose}
    />
  );
}

/** Queries the gateway again and rechecks everything open. */
export function CompareDialog({ of, onClose }: DialogProps<Again>) {
  return (
    <ReasonDialog
      title={`Compare ${nameOf(of)} again?`}
      label="Compare again"
      suggestions={['The gateway corrected it', 'The refund is done now', 'The payment is known now']}
      effect={
        <p>
          The gateway is asked once more, and every open line and difference is looked at. A line is booked once,
          however often it is compared.
        </p>
      }
      act={(reason) => compareSettlements(of.gateway, of.day, reason)}
      onClose={onClose}
    />
  );
}
