import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate } from 'react-router';
import { AddressForm } from '@/domain/address-form/address-form';
import { addressQuery } from '@/domain/address-form/api/address';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { useMayBuy } from '@/domain/owner-buys';
import { UndecidedDebitNotice, warnedOf } from '@/domain/payment/debit-notice';
import { previewQuery, type Charge } from '@/domain/payment/charge';
import { meaning } from '@/domain/payment/meaning';
import { PayButton } from '@/domain/payment/pay-button';
import { PaymentProblem } from '@/domain/payment/payment-problem';
import { Preference } from '@/domain/payment/preference';
import { isRefusal } from '@/domain/payment/refusal';
import { TransferOffer } from '@/domain/payment/transfer-offer';
import { usePayment } from '@/domain/payment/use-payment';
import { Async, Loading, Skeleton } from '@/ui/states';
import { WayOn } from '@/ui/way-on';
import { explain } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { doorPath, type PlanType } from '@/lib/plan-choice';
import { useSession } from '@/lib/session/session';
import { quoteQuery } from '../api/quote';
import { useReviewPath, type Choice } from '../choice';
import { useTotal } from '../total';
import { BilledTo, BilledToTyped } from './billed-to';

type Schemas = components['schemas'];

export interface DoorBillingProps {
  plan: Schemas['PlanDetails'];
  planType: PlanType;
  choice: Choice;
}

/** The tax on a choice, which a registered recipient may claim back; the public quote has all of it in one line. */
function useCredit(selection: Schemas['PlanSelection']): string | undefined {
  const { data } = useQuery(quoteQuery(selection));
  return data?.payment_details.find(({ type }) => type === 'tax')?.value;
}

/**
 * The billing details and the payment: requested once, shown from then on. People who already have a plan see its change line by line
 * instead.
 */
export function DoorBilling({ plan, planType, choice }: DoorBillingProps) {
  const mayBuy = useMayBuy();
  const total = useTotal(choice.selection);
  const review = useReviewPath(plan, choice, planType);
  const { preview, refusal } = total;
  if (!mayBuy) return null;
  if (refusal)
    return (
      <Notice tone="warning" live>
        {explain(refusal)}
        <div>
          <WayOn to={refusal.redirectTo} className="mt-2" />
        </div>
      </Notice>
    );
  if (preview && preview.kind !== 'new') return <Navigate to={review} replace />;
  if (!preview && total.error !== null) return null;
  if (!preview)
    return (
      <Loading what={t`the price`} onRetry={total.retry}>
        <Skeleton lines={6} />
      </Loading>
    );
  return <Payment preview={preview} selection={choice.selection} back={doorPath(review)} />;
}

interface PaymentProps {
  preview: Schemas['PaymentPreview'];
  selection: Schemas['PlanSelection'];
  back: string;
}

function Payment({ preview, selection, back }: PaymentProps) {
  const client = useQueryClient();
  const { franchiserID } = useSession();
  const address = useQuery(addressQuery(franchiserID ?? ''));
  const [changing, setChanging] = useState(false);
  const payment = usePayment({ back });
  const credit = useCredit(selection);
  const charge = { of: 'plan', selection } satisfies Charge;
  const debit = preview.undecided_debit;
  const attempt = warnedOf(debit, payment);
  const handlePay = () => payment.pay(charge, preview.expected_total, debit !== null);
  const handleSaved = () => {
    setChanging(false);
    // The State decides how the tax is broken down; the amount due is the same.
    void client.invalidateQueries({ queryKey: previewQuery(charge).queryKey });
    handlePay();
  };

  if (address.data === undefined) return <Async query={address} what={t`your address`} lines={6} />;
  const pay = debit ? t`Pay anyway · ${preview.total}` : t`Pay ${preview.total}`;
  const after = (
    <>
      {debit && <UndecidedDebitNotice debit={debit} />}
      <p className="text-muted text-sm">{meaning(preview)}</p>
    </>
  );
  if (changing || !address.data?.legal_name)
    return (
      <AddressForm
        address={address.data}
        submitLabel={pay}
        needsName
        credit={credit}
        review={[<BilledToTyped key="billed" />, <Preference key="preference" upiLimit={preview.upi_limit} />]}
        onSaved={handleSaved}
      >
        {after}
      </AddressForm>
    );
  return (
    <div className="stack">
      <BilledTo address={address.data}>
        <Button variant="outline" size="sm" onClick={() => setChanging(true)}>
          <Trans>
            Change<span className="visually-hidden"> whom to bill</span>
          </Trans>
        </Button>
      </BilledTo>
      {preview.gateway_details && (
        <Notice>{t`You started this payment earlier. It continues where you left off; nothing is charged twice.`}</Notice>
      )}
      <PaymentProblem payment={attempt} back={back} />
      {!(attempt.problem && isRefusal(attempt.problem)) && (
        <>
          <Preference upiLimit={preview.upi_limit} />
          <PayButton label={pay} pending={payment.pending} onPay={handlePay} />
        </>
      )}
      {after}
      {preview.by_transfer && (
        <TransferOffer
          charge={charge}
          expectedTotal={preview.expected_total}
          back={back}
          despiteDebit={debit !== null}
        />
      )}
    </div>
  );
}
