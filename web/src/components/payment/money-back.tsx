import type { components } from '@/lib/api/schema.gen';
import { formatInstant } from '@/lib/format';
import { Notice } from '../notice';

type Schemas = components['schemas'];

/** The refunds of a payment, as shown in a row or on the result page. */
export interface MoneyBackFacts {
  refunded: string;
  refunding: string;
  owed: string;
  refund_state: Schemas['RefundState'];
  documents: readonly Schemas['TaxDocument'][];
  taken_again: readonly Schemas['TakenAgain'][];
}

/** For a refund that the gateway refused permanently. */
const withStaff = 'could not be given back yet; our staff see to it';

/** The refunds of a payment in words, empty if there are none. Includes the total if it is not shown beside them. */
export function moneyBackText(
  { refunded, refunding, owed, refund_state }: Pick<MoneyBackFacts, 'refunded' | 'refunding' | 'owed' | 'refund_state'>,
  total?: string,
): string {
  const part = total ? `${refunded} of ${total}` : refunded;
  switch (refund_state) {
    case 'on_its_way':
      return `Refund of ${refunding} on its way`;
    case 'looked_at':
      return `${owed} ${withStaff}`;
    case 'partly':
      return `${part} refunded`;
    case 'fully':
      return 'Refunded';
    case 'disputed':
      return 'Disputed with your bank';
    case 'charged_back':
      return refunded === total ? 'Taken back by your bank' : `${part} taken back by your bank`;
    default:
      return '';
  }
}

const ways: Record<NonNullable<Schemas['PaymentState']['refund_channel']>, string> = {
  gateway: 'to the card, account or UPI id that you paid with',
  bank: 'by bank transfer',
};

/** How the money is returned, to follow "went back" or "is on its way back"; empty if none is. */
export function wayBack(channel: Schemas['PaymentState']['refund_channel']): string {
  return channel ? ` ${ways[channel]}` : '';
}

/** When the bank shows what goes or went back, as its provider publishes it; empty without a refund. */
export function arrivalText({ refund_arrives: days }: { refund_arrives: string | null }): string {
  return days ? `Your bank shows it ${days} after it was sent.` : '';
}

/** Tells a buyer with a GSTIN that a credit note requires reversing the tax in it; renders nothing for others. */
export function InputTaxNotice({ rows }: { rows: readonly Pick<MoneyBackFacts, 'documents'>[] }) {
  const notes = rows.flatMap(({ documents }) =>
    documents
      .filter(({ reverses_input_tax: reverses }) => reverses)
      .map(({ number, tax }) => `${number} with ${tax} GST`),
  );
  if (notes.length === 0) return null;
  return (
    <Notice>
      {notes.length === 1 ? 'A credit note was' : 'Credit notes were'} issued to your GSTIN: {notes.join(', ')}. If you
      claimed input tax credit on the invoice, reverse {notes.length === 1 ? 'that GST' : 'the GST of each'}.
    </Notice>
  );
}

const takenAgainText: Record<Schemas['TakenAgain']['state'], string> = {
  on_its_way: 'is on its way back',
  returned: 'went back',
  looked_at: withStaff,
};

/** A second capture of the same payment: its amount and its outcome. Renders nothing if there was none. */
export function TakenAgain({ of }: { of: Pick<MoneyBackFacts, 'taken_again'> }) {
  return of.taken_again.map(({ amount, state, asked_at: asked, returned_at: returned }, i) => (
    <span key={i} className="text-muted d-block text-sm cell-note">
      {amount} taken a second time {takenAgainText[state]}, {returned ? 'on' : 'since'}{' '}
      {formatInstant(returned ?? asked)}
    </span>
  ));
}
