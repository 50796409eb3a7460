import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '@/ui/button';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { automaticRenewalQuery } from '../api/automatic-renewal';
import { failureOf, lives, stateOf, underWay, type AutomaticRenewal } from '../automatic-renewal';
import { Card } from './card';

function Summary({ mandate, debits, opens_on: opensOn }: AutomaticRenewal) {
  const working = underWay(debits);
  const failure = failureOf(debits);
  if (!lives(mandate)) {
    return (
      <p className="text-muted">
        {opensOn === '-'
          ? t`Off. You pay each renewal manually.`
          : t`Off. You can set it up from ${formatDate(opensOn)}.`}
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>{stateOf(mandate)}</strong>
      </p>
      {working && (
        <p className="text-muted">
          <Trans>Your bank is working on the debit of {working.amount}.</Trans>
        </p>
      )}
      {failure && (
        <p className="text-danger">
          <Trans>
            {failure.amount} could not be debited: {failure.why ?? ''}.
          </Trans>
        </p>
      )}
      {!working && !failure && mandate.warning && (
        <p className="text-danger">
          <Trans>Your next bill is not debited: {mandate.warning}.</Trans>
        </p>
      )}
      {mandate.pay_to_start && (
        <p className="text-danger">
          <Trans>Your plan has ended and nothing is debited. Pay manually to start it again.</Trans>
        </p>
      )}
      {!working && !mandate.pay_to_start && mandate.next_debit && (
        <p className="text-muted">
          <Trans>
            Next debit: {mandate.next_debit.amount} on {formatDate(mandate.next_debit.on)}.
          </Trans>
        </p>
      )}
    </>
  );
}

/** Whether renewals are debited, and when the next one is. Absent where that is not offered or there is nothing to renew. */
export function AutomaticRenewalCard() {
  const { eraseOn } = useSession();
  const { data } = useQuery(automaticRenewalQuery);
  if (!data?.offered || eraseOn || (!data.mandate && data.choices.length === 0)) return null;
  return (
    <Card title={t`Automatic renewal`}>
      <Summary {...data} />
      <ButtonLink to="/dashboard/automatic-renewal" variant="outline" size="sm">
        {lives(data.mandate) ? t`Manage` : t`See how it works`}
      </ButtonLink>
    </Card>
  );
}
