import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Breadcrumb } from '@/components/breadcrumb';
import { LeavingNotice } from '@/components/erasure/leaving';
import { Loaded } from '@/components/loaded';
import { Notice } from '@/components/notice';
import { PageTitle } from '@/components/page-title';
import { EmptyState } from '@/components/states';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { automaticRenewalQuery } from '../api/automatic-renewal';
import { bankDecides, debitOutcome, lives, type AutomaticRenewal, type MandateDebit } from '../automatic-renewal';
import { debitText } from '../debit-words';
import { AutomaticRenewalMandate } from './automatic-renewal-mandate';
import { AutomaticRenewalSetup } from './automatic-renewal-setup';
import './dashboard.scss';

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
        <div className="table-responsive">
          <table className="debits" aria-labelledby="debits">
            <thead>
              <tr>
                <th scope="col">
                  <Trans>Date</Trans>
                </th>
                <th scope="col">
                  <Trans>Amount</Trans>
                </th>
                <th scope="col">
                  <Trans>What became of it</Trans>
                </th>
              </tr>
            </thead>
            <tbody>
              {debits.map((debit) => (
                <tr key={debit.id}>
                  <td className="text-nowrap">{formatDate(debit.on)}</td>
                  <td className="tabular">{debit.amount}</td>
                  <td>{debitOutcome(debit)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Content({ renewal }: { renewal: AutomaticRenewal }) {
  const { eraseOn } = useSession();
  const { mandate } = renewal;
  if (!renewal.offered) {
    return (
      <EmptyState title={t`Automatic renewal is not offered`}>
        <Trans>You pay each renewal by hand.</Trans>
      </EmptyState>
    );
  }
  const canChoose = !lives(mandate) || (mandate.state === 'requested' && !bankDecides(mandate));
  const nothing = !lives(mandate) && renewal.choices.length === 0;
  return (
    <div className="stack-lg">
      {lives(mandate) && <AutomaticRenewalMandate mandate={mandate} />}
      {mandate?.state === 'failed' && mandate.reason && (
        <Notice tone="warning">
          <Trans>Automatic renewal was not set up: {debitText(mandate.reason)} You pay by hand, or set it up again.</Trans>
        </Notice>
      )}
      {canChoose && renewal.choices.length > 0 && !eraseOn && <AutomaticRenewalSetup renewal={renewal} />}
      {nothing && (
        <EmptyState title={t`There is nothing to renew`}>
          <Trans>Once you have chosen a plan, you can set this up here.</Trans>
        </EmptyState>
      )}
      {(mandate || renewal.debits.length > 0) && <Debits debits={renewal.debits} />}
    </div>
  );
}

/** Automatic renewal: what was agreed to, what is debited when, and the ways to change, skip or stop it. */
export function AutomaticRenewalPage() {
  const renewal = useQuery(automaticRenewalQuery);
  return (
    <div className="container page">
      <Breadcrumb items={[{ label: t`Dashboard`, to: '/dashboard' }, { label: t`Automatic renewal` }]} />
      <div className="mt-3">
        <PageTitle
          title={t`Automatic renewal`}
          intro={t`Have each renewal debited on its day, and stop whenever you like.`}
        >
          <Trans>Automatic renewal</Trans>
        </PageTitle>
      </div>
      <LeavingNotice />
      <Loaded query={renewal} what={t`automatic renewal`} lines={8}>
        {(data) => <Content renewal={data} />}
      </Loaded>
    </div>
  );
}
