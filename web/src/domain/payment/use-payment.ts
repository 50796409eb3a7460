import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { toApiError, type ApiError } from '@/lib/api/errors';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { readPaymentMethod } from '@/lib/payment-method';
import { redirectPath, withReturn } from '@/lib/session/redirect';
import { toast } from '@/lib/toast';
import { previewQuery, requestPayment, type Charge, type RequestExtras } from './charge';
import { gatewayDetailsAtom, pendingPaymentAtom, type GatewayDetails, type PendingPayment } from './pending-payment';

/** Errors solved by entering the business address: it is missing, or has no name for the invoice. */
const needsAddress = new Set(['address_required', 'name_required']);

/** Errors that the page of an earlier payment explains. */
const leadsToResult = new Set(['already_paid', 'payment_held']);

/** The URL of the screen that redirects to the gateway. */
export const HAND_OFF_PATH = '/checkout/pay';

export interface Payment {
  /**
   * Requests the gateway session of a charge with the total that was shown, in paise, and goes there; `despiteDebit` pays although the
   * bank may still make an undecided debit.
   */
  pay: (charge: Charge, expectedTotal: number, despiteDebit?: boolean) => void;
  pending: boolean;
  /** Why the last attempt failed; null after a price change, which is not a failure. */
  problem: ApiError | null;
  /** True if the server's price has changed: the new price must be shown before paying. */
  priceChanged: boolean;
  reset: () => void;
}

export interface PaymentOptions {
  /** The URL that leads back to this choice. */
  back: string;
  onPriceChanged?: () => void;
}

type Outcome = Pick<Payment, 'problem' | 'priceChanged'>;

const nothing: Outcome = { problem: null, priceChanged: false };

/** One key per attempt: the same charge at the same price keeps its key, so that a second click cannot charge twice. */
function useAttemptKey() {
  const attempt = useRef({ of: '', key: '' });
  return (charge: Charge, extras: RequestExtras): string => {
    const of = JSON.stringify([charge, extras]);
    if (attempt.current.of !== of) attempt.current = { of, key: newIdempotencyKey() };
    return attempt.current.key;
  };
}

/** Navigates to the screen that redirects to the gateway, with the data that it needs. */
function useHandOver() {
  const navigate = useNavigate();
  const setPending = useSetAtom(pendingPaymentAtom);
  const setDetails = useSetAtom(gatewayDetailsAtom);
  return (details: GatewayDetails, pending: PendingPayment) => {
    setDetails(details);
    setPending(pending);
    void navigate(HAND_OFF_PATH);
  };
}

/** Handles a payment: the request, the detour for a missing address, a price change, and the way to the gateway. */
export function usePayment({ back, onPriceChanged }: PaymentOptions): Payment {
  const client = useQueryClient();
  const navigate = useNavigate();
  const handOver = useHandOver();
  const keyOf = useAttemptKey();
  const [outcome, setOutcome] = useState<Outcome>(nothing);
  // Two clicks can come before the screen is rendered again with its button inactive.
  const sending = useRef(false);

  const request = useMutation({
    mutationFn: ({ charge, extras, key }: { charge: Charge; extras: RequestExtras; key: string }) =>
      requestPayment(charge, extras, key),
    onSuccess: async ({ data, message }, { charge, extras, key }) => {
      toast.success(message);
      if (!data.gateway_details || !data.transaction_id) {
        await client.invalidateQueries({ predicate: (query) => query.meta?.public !== true });
        void navigate(redirectPath(data.redirect_to ?? undefined) ?? '/dashboard');
        return;
      }
      const { gateway_details: details, transaction_id: transactionId, amount } = data;
      handOver(details, { charge, extras, key, amount, transactionId, back });
    },
    onError: async (error, { charge }) => {
      const failure = toApiError(error);
      // The reloaded preview warns of a debit that began after the first preview.
      if (failure.code === 'debit_undecided') {
        setOutcome({ problem: failure, priceChanged: false });
        await client.invalidateQueries({ queryKey: previewQuery(charge).queryKey });
        return;
      }
      if (failure.code === 'price_changed') {
        setOutcome({ problem: null, priceChanged: true });
        await client.invalidateQueries({ queryKey: previewQuery(charge).queryKey });
        onPriceChanged?.();
        return;
      }
      const result = leadsToResult.has(failure.code) ? redirectPath(failure.redirectTo) : null;
      const path = needsAddress.has(failure.code) ? redirectPath(failure.redirectTo || '/store-details/address') : null;
      if (!result && !path) {
        setOutcome({ problem: failure, priceChanged: false });
        return;
      }
      toast[failure.kind](failure.message);
      if (result) void navigate(result);
      else if (path) void navigate(withReturn(path, back), { state: { objections: failure.fields } });
    },
    onSettled: () => {
      sending.current = false;
    },
  });

  const pay = (charge: Charge, expectedTotal: number, despiteDebit = false) => {
    if (sending.current) return;
    sending.current = true;
    setOutcome(nothing);
    const extras: RequestExtras = {
      expected_total: expectedTotal,
      payment_method: readPaymentMethod() ?? undefined,
      ...(despiteDebit && { pay_despite_debit: true as const }),
    };
    request.mutate({ charge, extras, key: keyOf(charge, extras) });
  };

  const reset = useCallback(() => setOutcome(nothing), []);

  return { ...outcome, pay, pending: request.isPending, reset };
}
