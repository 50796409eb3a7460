import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router';
import { BoughtScope } from '@/domain/bought-scope';
import { PreviewLines } from '@/domain/payment/preview-lines';
import { ErrorState, Skeleton } from '@/ui/states';
import { gstPercent } from '@/content/gst';
import type { components } from '@/lib/api/schema.gen';
import { periodWord, type PlanType } from '@/lib/plan-choice';
import { useReviewPath, type Choice } from '../choice';
import { useTotal } from '../total';

type PlanDetails = components['schemas']['PlanDetails'];

/** What is bought, for how much and how long, and the way to change it. Each part has its place before it is known. */
export function DoorOrder({
  plan,
  planType,
  choice,
}: {
  plan: PlanDetails | undefined;
  planType: PlanType;
  choice: Choice | null;
}) {
  return (
    <section className="panel panel-surface door-order" aria-label={t`Your choice`}>
      {plan && choice ? (
        <Order plan={plan} planType={planType} choice={choice} />
      ) : (
        <>
          <div className="door-order-head" aria-hidden="true">
            <Skeleton width="half" />
          </div>
          <Price planType={planType} />
          <Lines />
          <SetUp />
        </>
      )}
    </section>
  );
}

function Price({ planType, total, updating }: { planType: PlanType; total?: string | undefined; updating?: boolean }) {
  return (
    <p className="door-total" role="status">
      <strong className={`tabular ${updating ? 'is-updating' : ''}`}>{total ?? '…'}</strong>{' '}
      <span className="text-muted text-sm">
        {planType === 'yearly'
          ? t`for one year, ${gstPercent}% GST included`
          : t`for one month, ${gstPercent}% GST included`}
      </span>
    </p>
  );
}

function Lines({ preview }: { preview?: components['schemas']['PaymentPreview'] | undefined }) {
  return (
    <details className="door-lines">
      <summary>{t`See the price breakdown`}</summary>
      {preview ? (
        <PreviewLines label={t`The charge, line by line`} lines={preview.payment_details} />
      ) : (
        <Skeleton lines={8} />
      )}
    </details>
  );
}

function SetUp({ names }: { names?: readonly string[] }) {
  return (
    <details className="door-lines">
      <summary>{t`See what we set up with you`}</summary>
      {names ? <BoughtScope names={names} /> : <Skeleton lines={6} />}
    </details>
  );
}

function Order({ plan, planType, choice }: { plan: PlanDetails; planType: PlanType; choice: Choice }) {
  const { preview, updating, error, retry } = useTotal(choice.selection);
  const planAddress = useReviewPath(plan, choice, planType).replace(/[?&]review=1$/, '');
  const addOns = choice.addOns.map(({ add_ons_service_name: name }) => name);
  return (
    <>
      <div className="door-order-head">
        <div>
          <p className="fw-bold">
            {plan.plan_name} · {choice.service.service_name}, {periodWord(planType)}
          </p>
          {addOns.length > 0 && <p className="text-muted text-sm">{t`with ${addOns.join(', ')}`}</p>}
        </div>
        <Link to={planAddress}>
          <Trans>
            Change<span className="visually-hidden"> your choice</span>
          </Trans>
        </Link>
      </div>
      {error === null ? (
        <Price planType={planType} total={preview?.total} updating={updating} />
      ) : (
        <ErrorState error={error} what={t`the price`} onRetry={retry} />
      )}
      {(preview || error === null) && <Lines preview={preview} />}
      <SetUp
        names={[
          ...plan.subscription_plan_features.map(({ features }) => features),
          ...choice.addOns.map(({ add_ons_service_name: name }) => name),
        ]}
      />
    </>
  );
}
