import { Button } from '@/ui/button';
import { explain } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { openDocument } from '../api/acts';
import { useCall } from '../api/use-change';

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
    <Button variant="outline" size="sm" pending={open.isPending} onClick={() => open.mutate()}>
      Open the PDF<span className="visually-hidden"> of {number}</span>
    </Button>
  );
}
