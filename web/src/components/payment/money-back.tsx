import type { components } from '@/lib/api/schema.gen';
import { formatInstant } from '@/lib/format';
import { Notice } from '../notice';

type Schemas = components['schemas'];

/** What a row or a result says of the money that came back. */
export interface MoneyBackFacts {
  refunded: string;
  refunding: string;
  owed: string;
  refund_state: Schemas['RefundState'];
  documents: readonly Schemas['TaxDocument'][];
  taken_again: readonly Schemas['TakenAgain'][];
}

/** Of money whose refund the gateway refused for good. */
const withStaff = 'could not be given back yet; our staff see to it';

/** What came back of a payment, in words; empty where nothing did. The total is named where it does not stand beside them. */
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

/** The way on which money goes back, to follow "went back" or "is on its way back"; empty where nothing goes. */
export function wayBack(channel: Schemas['PaymentState']['refund_channel']): string {
  return channel ? ` ${ways[channel]}` : '';
}

/** Tells a buyer with a GSTIN what a credit note asks of them: to reverse the tax in it. Nothing for anybody else. */
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

/** Money that was taken a second time: how much, and what became of it. Nothing where nothing was. */
export function TakenAgain({ of }: { of: Pick<MoneyBackFacts, 'taken_again'> }) {
  return of.taken_again.map(({ amount, state, asked_at: asked, returned_at: returned }, i) => (
    <span key={i} className="text-muted d-block text-sm cell-note">
      {amount} taken a second time {takenAgainText[state]}, {returned ? 'on' : 'since'}{' '}
      {formatInstant(returned ?? asked)}
    </span>
  ));
}
