import { plural, t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { formatInstant } from '@/lib/format';
import { Notice } from '@/ui/notice';

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

/** The refunds of a payment in words; empty without refunds. Includes the total if the caller does not show it. */
export function moneyBackText(
  { refunded, refunding, owed, refund_state }: Pick<MoneyBackFacts, 'refunded' | 'refunding' | 'owed' | 'refund_state'>,
  total?: string,
): string {
  const part = total ? t`${refunded} of ${total}` : refunded;
  switch (refund_state) {
    case 'on_its_way':
      return t`Refund of ${refunding} on its way`;
    case 'looked_at':
      return t`${owed} could not be refunded yet; our team is working on it`;
    case 'partly':
      return t`${part} refunded`;
    case 'fully':
      return t`Refunded`;
    case 'disputed':
      return t`Disputed with your bank`;
    case 'charged_back':
      return refunded === total ? t`Taken back by your bank` : t`${part} taken back by your bank`;
    default:
      return '';
  }
}

const ways: Record<NonNullable<Schemas['PaymentState']['refund_channel']>, string> = {
  gateway: t` to the card, account or UPI ID that you paid with`,
  bank: t` by bank transfer`,
};

/** How the money is returned, to follow "went back" or "is on its way back"; empty without a channel. */
export function wayBack(channel: Schemas['PaymentState']['refund_channel']): string {
  return channel ? ways[channel] : '';
}

/** When the bank shows the refund, as its provider publishes it; empty without a refund. */
export function arrivalText({ refund_arrives: days }: { refund_arrives: string | null }): string {
  return days ? t`Your bank shows it ${days} after it was sent.` : '';
}

/** Tells a buyer with a GSTIN that a credit note requires reversing the tax in it; renders nothing for others. */
export function InputTaxNotice({ rows }: { rows: readonly Pick<MoneyBackFacts, 'documents'>[] }) {
  const notes = rows.flatMap(({ documents }) =>
    documents
      .filter(({ reverses_input_tax: reverses }) => reverses)
      .map(({ number, tax }) => t`${number} with ${tax} GST`),
  );
  if (notes.length === 0) return null;
  const list = notes.join(', ');
  return (
    <Notice>
      {plural(notes.length, {
        one: `A credit note was issued to your GSTIN: ${list}. If you claimed input tax credit on the invoice, reverse that GST.`,
        other: `Credit notes were issued to your GSTIN: ${list}. If you claimed input tax credit on the invoice, reverse the GST of each.`,
      })}
    </Notice>
  );
}

/** What became of a second capture, in a sentence. */
function takenAgainText({ amount, state, asked_at: asked, returned_at: returned }: Schemas['TakenAgain']): string {
  const when = returned ? t`on ${formatInstant(returned)}` : t`since ${formatInstant(asked)}`;
  switch (state) {
    case 'on_its_way':
      return t`${amount} charged a second time is on its way back, ${when}`;
    case 'returned':
      return t`${amount} charged a second time was refunded ${when}`;
    case 'looked_at':
      return t`${amount} charged a second time could not be refunded yet; our team is working on it, ${when}`;
  }
}

/** A second capture of the same payment: its amount and its outcome. Renders nothing without one. */
export function TakenAgain({ of }: { of: Pick<MoneyBackFacts, 'taken_again'> }) {
  return of.taken_again.map((taken, i) => (
    <span key={i} className="text-muted d-block text-sm cell-note">
      {takenAgainText(taken)}
    </span>
  ));
}
