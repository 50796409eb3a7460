import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { useSession } from '@/lib/session/session';
import { Button } from '@/ui/button';
import { PaymentDetails } from './payment-details';
import { usePayment } from './use-payment';

export interface RenewButtonProps {
  subscriptionId: string;
  /** The URL of the screen that contains it. */
  back: string;
  children?: string;
}

/** Opens the payment details of the next term, then pays it. Hidden while an erasure is scheduled. */
export function RenewButton({ subscriptionId, back, children = t`Renew` }: RenewButtonProps) {
  const [open, setOpen] = useState(false);
  const payment = usePayment({ back });
  const { eraseOn } = useSession();
  if (eraseOn) return null;
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {children}
      </Button>
      <PaymentDetails
        open={open}
        charge={{ of: 'renewal', selection: { subscription_id: subscriptionId } }}
        payment={payment}
        back={back}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
