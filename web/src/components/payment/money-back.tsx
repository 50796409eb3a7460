import type { components } from '@/lib/api/schema.gen';
import { Notice } from '../notice';

type Schemas = components['schemas'];

/** What a row or a result says of the money that came back. */
export interface MoneyBackFacts {
  refunded: string;
  refund_state: Schemas['RefundState'];
  documents: readonly Schemas['TaxDocument'][];
}

/** What came back of a payment, in words; empty where nothing did. The total is named where it does not stand beside them. */
export function moneyBackText({ refunded, refund_state }: Pick<MoneyBackFacts, 'refunded' | 'refund_state'>, total?: string): string {
  const part = total ? `${refunded} of ${total}` : refunded;
  switch (refund_state) {
    case 'on_its_way':
      return 'Refund on its way';
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

/** Tells a buyer with a GSTIN what a credit note asks of them; nothing for anybody else. */
export function InputTaxNotice({ rows }: { rows: readonly Pick<MoneyBackFacts, 'documents'>[] }) {
  const numbers = rows.flatMap(({ documents }) => documents.filter(({ reverses_input_tax: reverses }) => reverses).map(({ number }) => number));
  if (numbers.length === 0) return null;
  return (
    <Notice>
      {numbers.length === 1 ? 'A credit note was' : 'Credit notes were'} issued to your GSTIN: {numbers.join(', ')}. If you claimed input tax credit on the invoice, reverse it for the amount of the note.
    </Notice>
  );
}
