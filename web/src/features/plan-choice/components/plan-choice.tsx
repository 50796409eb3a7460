import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { BoughtScope } from '@/domain/bought-scope';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { OwnerBuysNotice } from '@/domain/owner-buys';
import { PaymentDetailsModal } from '@/domain/payment/payment-details-modal';
import { usePayment } from '@/domain/payment/use-payment';
import { gstPercent } from '@/content/gst';
import type { components } from '@/lib/api/schema.gen';
import { doorPath, periodWord, type PlanType } from '@/lib/plan-choice';
import { useSession } from '@/lib/session/session';
import { useKeptChoice, useReview, useReviewPath, type Choice } from '../choice';
import { useTotal } from '../total';
import { AddOnList } from './add-on-list';
import { PlanBar } from './plan-bar';
import { PlanSummary } from './plan-summary';
import { TrialGivenUp } from './trial-given-up';
import { ServiceList } from './service-list';

export interface PlanChoiceProps {
  plan: components['schemas']['PlanDetails'];
  planType: PlanType;
  choice: Choice;
}

/** Service and add-ons of a plan, the total, and the two next steps: the details and the payment. */
export function PlanChoice({ plan, planType, choice }: PlanChoiceProps) {
  const { isAuthenticated, isActive, role } = useSession();
  const navigate = useNavigate();
  const [review, setReview] = useReview();
  const total = useTotal(choice.selection);
  const back = useReviewPath(plan, choice, planType);
  const payment = usePayment({ back, onPriceChanged: () => setReview(true) });
  const { reset } = payment;
  // A refusal applies only to the choice that caused it.
  useEffect(() => reset, [back, reset]);
  const name = `${plan.plan_name} · ${choice.service.service_name}`;
  useKeptChoice(back, total.mayBuy && total.preview && !total.updating ? `${name} · ${total.preview.total}` : '');

  const atDoor = !isAuthenticated || total.needsBilling;
  const handleDetails = () => (atDoor ? void navigate(doorPath(back)) : setReview(true));
  const handlePay = () => {
    if (atDoor) void navigate(doorPath(back));
    // A change of an active plan needs a line-by-line review. The review also warns of an undecided debit or payment, and lets the customer
    // choose how to go on with an open payment. This screen already shows a first purchase in full.
    else if (
      total.preview?.kind === 'new' &&
      !total.preview.undecided_debit &&
      !total.preview.gateway_details &&
      !total.updating
    )
      payment.pay({ of: 'plan', selection: choice.selection }, total.preview.expected_total);
    else setReview(true);
  };

  return (
    <>
      <LeavingNotice />
      <OwnerBuysNotice />
      {isActive && total.mayBuy && total.preview?.kind === 'new' && <TrialGivenUp />}
      <div className="plan-choice">
        <PlanSummary plan={plan} planType={planType} />
        <div className="stack-lg">
          <ServiceList
            services={plan.subscription_plan_services}
            chosen={choice.service.id}
            planType={planType}
            onChoose={choice.chooseService}
          />
          <AddOnList
            addOns={choice.service.subscription_plan_add_ons_services}
            chosen={choice.selection.add_ons_service_id}
            planType={planType}
            onChoose={choice.chooseAddOn}
          />
          <BoughtScope
            names={[
              ...plan.subscription_plan_features.map(({ features }) => features),
              ...choice.addOns.map(({ add_ons_service_name: addOn }) => addOn),
            ]}
          />
          <p className="text-muted text-sm">{t`Prices on this page exclude ${gstPercent}% GST; the total below includes it.`}</p>
        </div>
      </div>
      <PlanBar
        label={`${name}, ${periodWord(planType)}`}
        total={total}
        pending={payment.pending && !review}
        problem={review ? null : payment.problem}
        onDetails={handleDetails}
        onPay={handlePay}
      />
      <PaymentDetailsModal
        open={review && isAuthenticated && role === 'owner'}
        charge={{ of: 'plan', selection: choice.selection }}
        payment={payment}
        back={back}
        onClose={() => setReview(false)}
      />
    </>
  );
}
