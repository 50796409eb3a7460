import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { Logo } from '@/ui/logo';
import { OwnerBuysNotice } from '@/domain/owner-buys';
import { ErrorState } from '@/ui/states';
import { Steps } from '@/ui/steps';
import { toApiError } from '@/lib/api/errors';
import { legalLinks } from '@/lib/navigation';
import { usePageMeta } from '@/lib/page-meta';
import { useSession } from '@/lib/session/session';
import { operator } from '@/lib/operator';
import { planDetailsQuery } from '../api/plan-details';
import { useChoice, usePlanParams } from '../choice';
import { DoorBilling } from './door-billing';
import { DoorOrder } from './door-order';
import { OtherPlans } from './other-plans';
import '@/styles/app.scss';
import '@/domain/payment/payment.scss';
import './door.scss';

const steps = [t`Plan`, t`Account`, t`Payment`, t`Store`];

export interface DoorPageProps {
  /** Signs an anonymous visitor up or in. */
  account: ReactNode;
}

/** The step's name. It receives the focus when the step changes without a navigation. */
function StepTitle({ children }: { children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(children);
  useEffect(() => {
    if (shown.current === children) return;
    shown.current = children;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [children]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

function Foot() {
  return (
    <footer className="door-foot text-sm">
      <ul className="container">
        <li>
          <Trans>
            Help: <a href={operator.phoneHref}>{operator.phone}</a>
          </Trans>
        </li>
        {legalLinks.map(({ id, key, link }) => (
          <li key={id}>
            <Link to={link}>{key}</Link>
          </li>
        ))}
      </ul>
    </footer>
  );
}

/** Buying on a single page: the choice on top, then the account, the billing details and the payment. */
export function DoorPage({ account }: DoorPageProps) {
  const { isAuthenticated } = useSession();
  const { planId, planType } = usePlanParams();
  const plan = useQuery(planDetailsQuery(planId));
  const choice = useChoice(plan.data?.subscription_plan_services ?? [], planType);
  const title = isAuthenticated ? t`Billing and payment` : t`Your account`;
  usePageMeta({ title });
  const gone = plan.isError ? toApiError(plan.error).status === 404 : plan.isSuccess && !choice;
  return (
    <div className="door">
      <header className="door-head">
        <div className="container">
          <Logo />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="container door-main">
        <div className="door-top">
          <Steps steps={steps} now={isAuthenticated ? t`Payment` : t`Account`} />
          <StepTitle>{title}</StepTitle>
        </div>
        <LeavingNotice />
        <OwnerBuysNotice />
        {gone && <OtherPlans title={t`This plan is no longer on offer.`} />}
        {!gone && (
          <div className="door-grid">
            {plan.isError ? (
              <ErrorState error={plan.error} what={t`your choice`} onRetry={() => void plan.refetch()} />
            ) : (
              <DoorOrder plan={plan.data} planType={planType} choice={choice} />
            )}
            <div className="door-step">
              {!isAuthenticated && account}
              {isAuthenticated && plan.data && choice && (
                <DoorBilling plan={plan.data} planType={planType} choice={choice} />
              )}
            </div>
          </div>
        )}
      </main>
      <Foot />
    </div>
  );
}
