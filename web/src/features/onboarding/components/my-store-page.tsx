import CheckIcon from 'bootstrap-icons/icons/check-lg.svg?component';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate } from 'react-router';
import { ButtonLink } from '@/components/button';
import { LeavingNotice } from '@/components/erasure/leaving';
import { Card } from '@/components/notice';
import { ErrorState, Loading, Skeleton } from '@/components/states';
import type { components } from '@/lib/api/schema.gen';
import { useSession } from '@/lib/session/session';
import { setupQuery } from '../api/setup';
import { OnboardingFrame } from './onboarding-frame';

type Schemas = components['schemas'];

/** What the checklist needs to know. */
interface Setup {
  subscription: Schemas['Dashboard']['subscription'];
  tenant: Omit<Schemas['Tenant'], 'password'> | null;
}

interface SetupStep {
  title: string;
  text: string;
  done: boolean;
  action: ReactNode;
}

function franchiseStep({ subscription, tenant }: Setup): SetupStep {
  const { current = 0, limit = 0 } = subscription?.franchises ?? {};
  const open = tenant && (
    <a className="btn btn-outline btn-sm" href={tenant.dashboard_url} target="_blank" rel="noreferrer">
      Open franchise dashboard<span className="visually-hidden"> (new window)</span>
    </a>
  );
  return {
    title: 'Your first franchise',
    text:
      current > 0
        ? `${current} of ${limit} franchises added.`
        : `Add one in your franchise dashboard. Your plan has room for ${limit}.`,
    done: current > 0,
    action: open,
  };
}

function domainStep({ tenant }: Setup): SetupStep {
  const proven = tenant?.custom_domain_state === 'active';
  return {
    title: 'A domain of your own',
    text: proven
      ? `${tenant.custom_domain ?? ''} leads to your store.`
      : `Your store already answers at ${tenant?.domain ?? ''}. Link your own domain when you have one.`,
    done: proven,
    action: (
      <ButtonLink to="/dashboard" variant="outline" size="sm">
        Link a domain
      </ButtonLink>
    ),
  };
}

function stepsOf(dashboard: Setup, hasAddress: boolean): SetupStep[] {
  return [
    { title: 'Store details', text: `${dashboard.tenant?.store_name ?? ''} is ready.`, done: true, action: null },
    {
      title: 'Business address',
      text: hasAddress ? 'Your invoices carry it.' : 'Your invoices need it, and its State decides the GST.',
      done: hasAddress,
      action: (
        <ButtonLink to="/store-details/address?return=/store-details/my-store" variant="outline" size="sm">
          Add address
        </ButtonLink>
      ),
    },
    domainStep(dashboard),
    franchiseStep(dashboard),
  ];
}

function Checklist({ steps }: { steps: SetupStep[] }) {
  const done = steps.filter((step) => step.done).length;
  return (
    <Card raised>
      <h2>Your set-up</h2>
      <p className="text-muted">
        {done} of {steps.length} done
      </p>
      <ul className="checklist mt-3">
        {steps.map((step) => (
          <li key={step.title} className={step.done ? 'checklist-done' : ''}>
            <span className="checklist-mark" aria-hidden="true">
              {step.done && <CheckIcon />}
            </span>
            <div>
              <h3>
                {step.title}
                <span className="visually-hidden">{step.done ? ', done' : ', to do'}</span>
              </h3>
              <p className="text-muted">{step.text}</p>
            </div>
            {!step.done && step.action}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Welcome to the new store: what is set up, what is to do, and the way to the dashboard. */
export function MyStorePage() {
  const { hasStoreDetails, storeName, user } = useSession();
  const setup = useQuery({ ...setupQuery, enabled: hasStoreDetails });
  if (!hasStoreDetails) return <Navigate to="/store-details" replace />;
  return (
    <OnboardingFrame
      title={`Welcome, ${storeName}!`}
      pageName="Welcome"
      intro="Your store stands. Here is what makes it complete; nothing of it has to be done today."
    >
      <LeavingNotice />
      {setup.isPending && (
        <Loading what="your set-up" onRetry={() => void setup.refetch()}>
          <Skeleton lines={8} />
        </Loading>
      )}
      {setup.isError && <ErrorState error={setup.error} what="your set-up" onRetry={() => void setup.refetch()} />}
      {setup.isSuccess && <Checklist steps={stepsOf(setup.data, user?.has_address ?? false)} />}
      {!setup.isPending && (
        <div className="form-actions">
          <ButtonLink to="/dashboard" size="lg">
            Dashboard
          </ButtonLink>
        </div>
      )}
    </OnboardingFrame>
  );
}
