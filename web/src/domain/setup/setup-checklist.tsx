import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import CheckIcon from 'bootstrap-icons/icons/check-lg.svg?component';
import type { ReactNode } from 'react';
import type { components } from '@/lib/api/schema.gen';
import { useSession } from '@/lib/session/session';
import { ButtonLink } from '@/ui/button';
import { Card } from '@/ui/notice';

type Schemas = components['schemas'];

/** The data that the checklist needs. */
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

function storeStep({ tenant }: Setup): SetupStep {
  return {
    title: t`Store details`,
    text: tenant ? t`${tenant.store_name} is ready.` : t`Give your store a name and a password; it takes a minute.`,
    done: tenant !== null,
    action: <ButtonLink to="/store-details" size="sm">{t`Set up your store`}</ButtonLink>,
  };
}

function franchiseStep({ subscription, tenant }: Setup): SetupStep {
  const { current = 0, limit = 0 } = subscription?.franchises ?? {};
  const open = tenant && (
    <a className="btn btn-outline btn-sm" href={tenant.dashboard_url} target="_blank" rel="noreferrer">
      <Trans>
        Open franchise dashboard<span className="visually-hidden"> (new window)</span>
      </Trans>
    </a>
  );
  return {
    title: t`Your first franchise`,
    text:
      current > 0
        ? t`${current} of ${limit} franchises added.`
        : t`Add one in your franchise dashboard. Your plan has room for ${limit}.`,
    done: current > 0,
    action: open,
  };
}

function domainStep({ tenant }: Setup, here: boolean): SetupStep {
  const proven = tenant?.custom_domain_state === 'active';
  const address = tenant?.domain ?? '';
  return {
    title: t`A domain of your own`,
    text: proven
      ? t`${tenant.custom_domain ?? ''} leads to your store.`
      : here
        ? t`Your store already answers at ${address}. Link your own domain when you have one, under Settings.`
        : t`Your store already answers at ${address}. Link your own domain when you have one.`,
    done: proven,
    action: !here && <ButtonLink to="/dashboard" variant="outline" size="sm">{t`Link a domain`}</ButtonLink>,
  };
}

function stepsOf(setup: Setup, hasAddress: boolean, here: boolean): SetupStep[] {
  const steps = [
    storeStep(setup),
    {
      title: t`Business address`,
      text: hasAddress ? t`It appears on your invoices.` : t`Your invoices need it, and its State decides the GST.`,
      done: hasAddress,
      action: (
        <ButtonLink
          to={`/store-details/address?return=${here ? '/dashboard' : '/store-details/my-store'}`}
          variant="outline"
          size="sm"
        >{t`Add address`}</ButtonLink>
      ),
    },
  ];
  return setup.tenant ? [...steps, domainStep(setup, here), franchiseStep(setup)] : steps;
}

export interface SetupChecklistProps extends Setup {
  /** On the dashboard it disappears once the shop is live, that is, has an address and a first franchise. */
  hides?: boolean;
}

/** What is done and what remains until the shop is live. */
export function SetupChecklist({ subscription, tenant, hides = false }: SetupChecklistProps) {
  const { user } = useSession();
  const hasAddress = user?.has_address ?? false;
  const steps = stepsOf({ subscription, tenant }, hasAddress, hides);
  const done = steps.filter((step) => step.done).length;
  const live = tenant !== null && hasAddress && (subscription?.franchises.current ?? 0) > 0;
  if (hides && live) return null;
  return (
    <Card raised>
      <h2>{t`Your set-up`}</h2>
      <p className="text-muted">{t`${done} of ${steps.length} done`}</p>
      <ul className="checklist mt-3">
        {steps.map((step) => (
          <li key={step.title} className={step.done ? 'checklist-done' : ''}>
            <span className="checklist-mark" aria-hidden="true">
              {step.done && <CheckIcon />}
            </span>
            <div>
              <h3>
                {step.title}
                <span className="visually-hidden">{step.done ? t`, done` : t`, to do`}</span>
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
