import { explain } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { openDocument } from '../api/acts';
import { useCall } from '../api/use-change';
import { Offer } from '../shared/offer';

/** Opens the PDF of a customer's document in a new tab; the audit trail records it. */
export function OpenDocument({ customer, invoice, number }: { customer: string; invoice: string; number: string }) {
  const open = useCall(() => openDocument(customer, invoice), {
    onSuccess: ({ data: { url }, message }) => {
      if (url) window.open(url, '_blank', 'noopener');
      else toast.warn(message);
    },
    onError: (error) => toast.warn(explain(error)),
  });
  return (
    <Offer pending={open.isPending} onClick={() => open.mutate()} of={`of ${number}`}>
      Open the PDF
    </Offer>
  );
}
