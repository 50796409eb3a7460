import { useState } from 'react';
import { Button, ButtonLink } from '@/components/button';
import { Notice } from '@/components/notice';
import { PaymentDetailsModal } from '@/components/payment/payment-details-modal';
import { usePayment } from '@/components/payment/use-payment';
import type { Subscription } from '../state';

const BACK = '/dashboard';

/** Opens the payment details of the next term, then pays it. */
export function RenewButton({ subscriptionId, children = 'Renew' }: { subscriptionId: string; children?: string }) {
  const [open, setOpen] = useState(false);
  const payment = usePayment({ back: BACK });
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {children}
      </Button>
      <PaymentDetailsModal open={open} charge={{ of: 'renewal', selection: { subscription_id: subscriptionId } }} payment={payment} back={BACK} onClose={() => setOpen(false)} />
    </>
  );
}

/** What a person must know before anything else: an expired plan, days of grace, the end of a trial. */
export function Banners({ subscription }: { subscription: Subscription }) {
  const { id, state, expired_message: expired, notice } = subscription;
  if (expired) {
    return (
      <Notice tone="danger">
        <div className="banner-row">
          <p className="fw-bold">{expired}</p>
          <p>Your store and your data are kept. New add-ons and franchises wait for the renewal.</p>
          <RenewButton subscriptionId={id} />
        </div>
      </Notice>
    );
  }
  if (!notice) return null;
  return (
    <Notice tone={state === 'grace' ? 'warning' : 'info'}>
      <div className="banner-row">
        <p>{notice}</p>
        {state === 'grace' && <RenewButton subscriptionId={id} />}
        {state === 'trialing' && (
          <ButtonLink to="/pricing" size="sm">
            Choose a plan
          </ButtonLink>
        )}
      </div>
    </Notice>
  );
}
