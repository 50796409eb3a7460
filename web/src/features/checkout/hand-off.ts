import { useMutation } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { useEffect, useState } from 'react';
import { requestPayment } from '@/components/payment/charge';
import { gatewayDetailsAtom, pendingPaymentAtom } from '@/components/payment/pending-payment';

/** The button to go on by hand appears after this long, in milliseconds. */
export const CONTINUE_MS = 3000;

/** True once the time is up. */
export function useAfter(delay: number, running: boolean): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setTimeout(() => setOver(true), delay);
    return () => {
      clearTimeout(timer);
      setOver(false);
    };
  }, [delay, running]);
  return over;
}

/** The payment under way: what is posted to the gateway, and how it goes on after the browser came back. */
export function useHandOff() {
  const [pending, setPending] = useAtom(pendingPaymentAtom);
  const [details, setDetails] = useAtom(gatewayDetailsAtom);

  // A page that comes back from the browser's memory has been to the gateway: it offers to resume.
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
    meta: { quiet: true },
    onSuccess: (session) => {
      if (!pending || !session.gateway_details || !session.transaction_id) return;
      setPending({ ...pending, amount: session.amount, transactionId: session.transaction_id });
      setDetails(session.gateway_details);
    },
  });

  return { pending, details, resume };
}
