import type { Trail } from '../api/help';
import { gatewayName, rupees } from '../customers/customer-words';

/** Where money is that is not kept, to follow "Staff released it," and the like. */
function whereabouts({ payment, captures, owed_paise: owed, requests }: Trail): string {
  const first = captures.find((one) => one.gateway_payment_id === payment.gateway_payment_id);
  if (first && first.going_paise === 0 && first.back_paise > 0) return 'and it is back.';
  if (!first?.failed || owed === 0) return 'and it is on its way back.';
  const transfer = requests.find(({ kind, state }) => kind === 'bank_transfer' && /^(waiting|approved)$/.test(state));
  if (!transfer) return 'but its refund failed: pay it by bank transfer and book that.';
  return transfer.state === 'waiting'
    ? 'but its refund failed. A second admin has to approve the bank transfer that pays it.'
    : 'but its refund failed. The bank transfer that pays it is being booked.';
}

/** Explains the payment's state to staff. A payment on hold keeps its reason, even after its refund. */
export function why(trail: Trail): string {
  const {
    payment: { state, amount_paise: due, captured_paise: came, surplus, reason, gateway },
    requests,
  } = trail;
  const isReleased = surplus && (state === 'held' || requests.some((one) => one.kind === 'release'));
  if (state === 'held' || isReleased) {
    const gap =
      came === due
        ? 'It came in another currency'
        : `${rupees(due)} was due and ${rupees(came)} came: ${rupees(Math.abs(due - came))} ${came < due ? 'is missing' : 'too much'}`;
    return `${gap}. ${isReleased ? `Staff released it, ${whereabouts(trail)}` : 'It is held until an admin gives it back.'}`;
  }
  if (surplus) return `It was captured with nothing to give for it, ${whereabouts(trail)}`;
  return state === 'created' || state === 'pending' ? `${gatewayName(gateway)} has not decided yet.` : reason;
}
