import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { explain } from '@/lib/api/errors';
import { customerQuery } from '../api/customers';
import type { Trail } from '../api/help';
import { useMay } from '../api/rights';
import { MoneyBack } from '../customers/customer-money';

/** Whether this is a held payment that has not been returned or requested yet. */
const canRelease = ({ payment: { state, surplus }, requests }: Trail): boolean =>
  state === 'held' && !surplus && !requests.some((one) => one.state === 'waiting' || one.state === 'approved');

/** Refunds a held payment, for admins. The customer is fetched only then, because every view of one is audited. */
export function Release({ trail }: { trail: Trail }) {
  const { id, customer_id: owner } = trail.payment;
  const [open, setOpen] = useState(false);
  const money = useMay('money');
  const customer = useQuery({ ...customerQuery(owner), enabled: open });
  if (!money || !canRelease(trail)) return null;
  const handlePress = () => {
    setOpen(true);
    if (customer.error) void customer.refetch();
  };
  return (
    <>
      <Button size="sm" pending={open && customer.isFetching} onClick={handlePress}>
        Give it back
      </Button>
      {open && customer.error && !customer.data && (
        <p role="alert" className="console-error">
          {explain(customer.error)}
        </p>
      )}
      {open && customer.data && <MoneyBack customer={customer.data} payment={id} held onClose={() => setOpen(false)} />}
    </>
  );
}
