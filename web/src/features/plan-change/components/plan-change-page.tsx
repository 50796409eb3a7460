import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router';
import { Breadcrumb } from '@/ui/breadcrumb';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { PageTitle } from '@/ui/page-title';
import { ConfirmingNotice, useConfirming } from '@/domain/payment/confirming-notice';
import { DebitCalledOffNotice } from '@/domain/payment/debit-notice';
import { PaymentDetailsModal } from '@/domain/payment/payment-details-modal';
import { usePayment } from '@/domain/payment/use-payment';
import { ScheduledNotice } from '@/domain/plan-change/scheduled-notice';
import { Async } from '@/ui/states';
import { useSession } from '@/lib/session/session';
import { planChangeQuery } from '../api/plan-change';
import { choosable, useChangeParams, type ChangeParams, type PlanChange } from '../state';
import { Billing, ChangeOptions, KeptAddOns } from './change-options';
import { ChangeSummary } from './change-summary';
import '@/domain/payment/payment.scss';
import './plan-change.scss';

interface ContentProps {
  change: PlanChange;
  params: ChangeParams;
  updating: boolean;
}

function Content({ change, params, updating }: ContentProps) {
  const { pathname, search } = useLocation();
  const payment = usePayment({ back: pathname + search, onPriceChanged: () => params.setReview(true) });
  const billing = params.billing ?? change.plan_type;
  const shown = change.options.filter(({ plan_type: type }) => type === billing);
  const option = shown.find((one) => one.plan_services_id === params.plan && choosable(one));
  return (
    <div className="plan-change">
      <div className="stack-lg">
        <Billing value={billing} onChange={params.setBilling} />
        <KeptAddOns addOns={change.add_ons_services} cancelled={change.cancelled_add_ons} params={params} />
        <ChangeOptions options={shown} chosen={option} onChoose={({ plan_services_id: id }) => params.setPlan(id)} />
      </div>
      <ChangeSummary
        change={change}
        option={option}
        without={params.without}
        keep={params.keep}
        updating={updating}
        onReview={() => params.setReview(true)}
      />
      {option && (
        <PaymentDetailsModal
          open={params.review && !updating}
          charge={{
            of: 'plan',
            selection: {
              plan_type: option.plan_type,
              plan_services_id: option.plan_services_id,
              add_ons_service_id: option.add_ons_service_id,
            },
          }}
          payment={payment}
          back={pathname + search}
          warning={<DebitCalledOffNotice />}
          onClose={() => params.setReview(false)}
        />
      )}
    </div>
  );
}

/** Change plan: the current plan next to the new one, add-ons included, with the cost and start date of each choice. */
export function PlanChangePage() {
  const params = useChangeParams();
  const { eraseOn } = useSession();
  const change = useQuery(planChangeQuery(params.without, params.keep));
  const confirming = useConfirming(true);
  if (change.isSuccess && change.data === null) return <Navigate to="/pricing" replace />;
  const scheduled = change.data?.scheduled_change;
  return (
    <div className="container page">
      <Breadcrumb items={[{ label: t`Dashboard`, to: '/dashboard' }, { label: t`Change plan` }]} />
      <div className="mt-3">
        <PageTitle
          title={t`Change plan`}
          intro={t`Choose a plan and see what it changes before you confirm.`}
        >{t`Change plan`}</PageTitle>
      </div>
      <LeavingNotice />
      <ConfirmingNotice payments={confirming} />
      {scheduled && <ScheduledNotice change={scheduled} paying={confirming.length > 0} />}
      <Async query={change} what={t`the plans`} lines={8} />
      {change.data && !eraseOn && <Content change={change.data} params={params} updating={change.isPlaceholderData} />}
    </div>
  );
}
