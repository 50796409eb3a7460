import { useMutation } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { useEffect } from 'react';
import { requestPayment } from '@/domain/payment/charge';
import { gatewayDetailsAtom, pendingPaymentAtom } from '@/domain/payment/pending-payment';

/** The pending payment: the data to post to the gateway, and how to resume when the browser returns. */
export function useHandOff() {
  const [pending, setPending] = useAtom(pendingPaymentAtom);
  const [details, setDetails] = useAtom(gatewayDetailsAtom);

  // A page restored from the back/forward cache has been to the gateway: offer to resume.
  useEffect(() => {
    const handleShow = (event: PageTransitionEvent) => {
      if (event.persisted) setDetails(null);
    };
    window.addEventListener('pageshow', handleShow);
    return () => window.removeEventListener('pageshow', handleShow);
  }, [setDetails]);

  const resume = useMutation({
    mutationFn: async () => {
      if (!pending) throw new Error('no payment is under way');
      return (await requestPayment(pending.charge, pending.extras, pending.key)).data;
    },
    onSuccess: (session) => {
      if (!pending || !session.gateway_details || !session.transaction_id) return;
      setPending({ ...pending, amount: session.amount, transactionId: session.transaction_id });
      setDetails(session.gateway_details);
    },
  });

  return { pending, details, resume };
}
