import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Instant } from '@/ui/instant';
import { Breadcrumb } from '@/ui/breadcrumb';
import { LeavingNotice } from '@/domain/erasure/leaving';
import { DataTable, type Column } from '@/ui/list/list-table';
import { PageTitle } from '@/ui/page-title';
import { nextBillQuery } from '@/domain/payment/api/next-bill';
import { RenewButton } from '@/domain/payment/renew-button';
import { Async, EmptyState } from '@/ui/states';
import { formatDate, formatDay } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { automaticRenewalQuery } from '../api/automatic-renewal';
import {
  bankDecides,
  debitOutcome,
  instrumentOf,
  lives,
  eventText,
  type AutomaticRenewal,
  type Mandate,
  type MandateDebit,
  type MandateEvent,
  failureOf,
} from '../automatic-renewal';
import { Ended, Waiting } from './automatic-renewal-facts';
import { AutomaticRenewalMandate } from './automatic-renewal-mandate';
import { AutomaticRenewalSetup } from './automatic-renewal-setup';
import './dashboard.scss';

const debitColumns: Column<MandateDebit>[] = [
  { label: t`Date`, cell: (debit) => <span className="text-nowrap">{formatDate(debit.on)}</span> },
  { label: t`Amount`, cell: (debit) => debit.amount, numeric: true },
  { label: t`Result`, cell: debitOutcome },
];

function Debits({ debits }: { debits: readonly MandateDebit[] }) {
  return (
    <section className="panel stack-sm" aria-labelledby="debits">
      <h2 id="debits">
        <Trans>Debits</Trans>
      </h2>
      {debits.length === 0 ? (
        <p className="text-muted">
          <Trans>Nothing has been debited or announced yet.</Trans>
        </p>
      ) : (
        <DataTable caption={t`Debits`} columns={debitColumns} rows={debits} rowKey={({ id }) => id} />
      )}
    </section>
  );
}

function Events({ events }: { events: readonly MandateEvent[] }) {
  if (events.length === 0) return null;
  return (
    <section className="panel stack-sm" aria-labelledby="mandate-events">
      <h2 id="mandate-events">
        <Trans>History</Trans>
      </h2>
      <ul className="mandate-events">
        {events.map((event, index) => (
          <li key={`${event.at}-${index}`}>
            <Instant at={event.at}>{formatDay(event.at)}</Instant>
            <span>{eventText(event)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Pays the open renewal, inside the warning about it. */
function PayButton() {
  const bill = useQuery(nextBillQuery);
  if (!bill.data?.can_renew) return null;
  return (
    <div className="form-actions mt-3">
      <RenewButton
        subscriptionId={bill.data.subscription_id}
        back="/dashboard/automatic-renewal"
      >{t`Pay now`}</RenewButton>
    </div>
  );
}

/** Pays the open renewal manually, whether or not a debit is announced or undecided. */
function PayNow({ mandate }: { mandate: Mandate }) {
  const bill = useQuery(nextBillQuery);
  if (!bill.data?.can_renew) return null;
  const { total, pay_by: payBy, subscription_id: id, debit } = bill.data;
  return (
    <section className="panel stack-sm" aria-labelledby="by-hand">
      <h2 id="by-hand">
        <Trans>Pay manually</Trans>
      </h2>
      <p>
        {debit?.in_progress && (
          <Trans>
            Your bank is working on a debit of {debit.amount}. You can wait for its answer, or pay {total} now.
          </Trans>
        )}
        {!debit?.in_progress && mandate.next_debit && (
          <Trans>If you pay {total} now, nothing is debited for this renewal.</Trans>
        )}
        {!debit?.in_progress && !mandate.next_debit && (
          <Trans>
            This renewal is not debited. Pay {total} by {formatDate(payBy)} to keep your plan.
          </Trans>
        )}
      </p>
      <div className="form-actions">
        <RenewButton subscriptionId={id} back="/dashboard/automatic-renewal">{t`Pay now`}</RenewButton>
      </div>
    </section>
  );
}

function Content({ renewal }: { renewal: AutomaticRenewal }) {
  const { eraseOn } = useSession();
  const { mandate, replacement } = renewal;
  if (!renewal.offered) {
    return (
      <EmptyState title={t`Automatic renewal is not offered`}>
        <Trans>You pay each renewal manually.</Trans>
      </EmptyState>
    );
  }
  const canChoose = !bankDecides(mandate) && !mandate?.paid;
  // A warning has the button itself.
  const warned = lives(mandate) && (mandate.pay_to_start || failureOf(renewal.debits) !== undefined);
  const nothing = !lives(mandate) && renewal.choices.length === 0;
  return (
    <div className="stack-lg">
      {lives(mandate) && (
        <AutomaticRenewalMandate mandate={mandate} debits={renewal.debits} payNow={!eraseOn && <PayButton />} />
      )}
      {replacement && (
        <section className="panel stack-sm" aria-labelledby="replacement">
          <h2 id="replacement">
            <Trans>It replaces the one above</Trans>
          </h2>
          <p>{instrumentOf(replacement)}</p>
          <Waiting mandate={replacement} />
        </section>
      )}
      {mandate && !lives(mandate) && <Ended mandate={mandate} />}
      {!eraseOn && mandate && !warned && <PayNow mandate={mandate} />}
      {canChoose && renewal.choices.length > 0 && !eraseOn && <AutomaticRenewalSetup renewal={renewal} />}
      {nothing && (
        <EmptyState title={t`There is nothing to renew`}>
          <Trans>Once you have chosen a plan, you can set this up here.</Trans>
        </EmptyState>
      )}
      {(mandate || renewal.debits.length > 0) && <Debits debits={renewal.debits} />}
      <Events events={renewal.events} />
    </div>
  );
}

/** Automatic renewal: the agreed terms, the next debits, and the buttons to change, skip or stop it. */
export function AutomaticRenewalPage() {
  const renewal = useQuery(automaticRenewalQuery);
  return (
    <div className="container page">
      <Breadcrumb items={[{ label: t`Dashboard`, to: '/dashboard' }, { label: t`Automatic renewal` }]} />
      <div className="mt-3">
        <PageTitle
          title={t`Automatic renewal`}
          intro={t`Have each renewal debited on its due date, and stop whenever you like.`}
        >
          <Trans>Automatic renewal</Trans>
        </PageTitle>
      </div>
      <LeavingNotice />
      <Async query={renewal} what={t`automatic renewal`} lines={8}>
        {(data) => <Content renewal={data} />}
      </Async>
    </div>
  );
}
