import { CopyButton } from '@/ui/copy-button';
import { ListTable } from '@/ui/list/list-table';
import type { Trail } from '../api/help';
import { rupees } from '../customers/customer-words';

type Capture = Trail['captures'][number];

/** The end of a gateway id, enough to tell two apart. */
export const endOf = (id: string): string => (id.length > 6 ? `…${id.slice(-6)}` : id);

const meanings: Record<Capture['state'], string> = {
  accepted: 'Paid for what was bought',
  held: 'Held for staff',
  surplus: 'Nothing to give for it',
};

function becameOf({ state, back_paise: back, going_paise: going, failed }: Capture): string {
  return [
    meanings[state],
    back > 0 && `${rupees(back)} is back`,
    going > 0 && `${rupees(going)} is on its way back`,
    failed && 'its refund failed',
  ]
    .filter(Boolean)
    .join('; ');
}

/** Every capture by the gateway for the transaction, and what became of it. */
export function Captures({ of }: { of: Trail['captures'] }) {
  return (
    <ListTable
      caption="Captures of the payment"
      rows={of}
      rowKey={(one) => one.gateway_payment_id}
      columns={[
        {
          label: 'Gateway’s payment id',
          cell: (one) => (
            <>
              {endOf(one.gateway_payment_id)}{' '}
              <CopyButton value={one.gateway_payment_id} what={`payment id ${one.gateway_payment_id}`} />
            </>
          ),
        },
        { label: 'Amount', cell: (one) => rupees(one.amount_paise), numeric: true },
        { label: 'What became of it', cell: (one) => becameOf(one) },
      ]}
    />
  );
}
