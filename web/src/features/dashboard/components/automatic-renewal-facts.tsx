import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Notice } from '@/ui/notice';
import { formatDate, formatDay } from '@/lib/format';
import { bankDecides, instrumentOf, lives, stateOf, type Mandate, type MandateDebit } from '../automatic-renewal';

/** The next debit, or that the bank is processing a debit, or that no debit is planned. */
function nextDebitOf(
  { next_debit: next, pay_to_start: payToStart }: Mandate,
  working: MandateDebit | undefined,
): string {
  if (working) return t`${working.amount}: your bank is working on it`;
  if (payToStart) return t`None until you pay`;
  return next ? t`${next.amount} on ${formatDate(next.on)}` : t`None`;
}

export interface FactsProps {
  mandate: Mandate;
  /** The debit that the bank has not decided. */
  working: MandateDebit | undefined;
}

export function Facts({ mandate, working }: FactsProps) {
  return (
    <dl className="fact-list">
      <div>
        <dt>{t({ message: 'State', context: 'of a mandate or a debit' })}</dt>
        <dd>{stateOf(mandate)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Paid by</Trans>
        </dt>
        <dd>{instrumentOf(mandate)}</dd>
      </div>
      <div>
        <dt>
          <Trans>At most per debit</Trans>
        </dt>
        <dd className="tabular">{mandate.cap}</dd>
      </div>
      <div>
        <dt>
          <Trans>Next debit</Trans>
        </dt>
        <dd className="tabular">{nextDebitOf(mandate, working)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Ends on</Trans>
        </dt>
        <dd>{formatDate(mandate.ends_on)}</dd>
      </div>
    </dl>
  );
}

/** Which confirmation a mandate request waits for, and what the customer can do now. */
export function Waiting({ mandate }: { mandate: Mandate }) {
  return (
    <Notice tone="info">
      {mandate.stopping && <Trans>You have stopped it. Nothing is debited, even if your bank confirms it later.</Trans>}
      {!mandate.stopping && bankDecides(mandate) && mandate.method === 'enach' && (
        <Trans>
          Your bank has to confirm it, which can take until {formatDate(mandate.waits_until)}. Pay renewals manually
          until it says “On” here.
        </Trans>
      )}
      {!mandate.stopping && !bankDecides(mandate) && mandate.method === 'enach' && (
        <Trans>
          Your bank has not told us yet. If you have finished at its page, you do not need to do anything; if not,
          choose again below. Pay renewals manually meanwhile.
        </Trans>
      )}
      {!mandate.stopping && mandate.method !== 'enach' && mandate.paid && (
        <Trans>
          Your payment has arrived, and your plan is renewed. Your bank is confirming automatic renewal; you do not need
          to do anything.
        </Trans>
      )}
      {!mandate.stopping && mandate.method !== 'enach' && !mandate.paid && (
        <Trans>
          You have not finished at the payment page, or it has not told us yet. If you did not finish, choose how to pay
          below again.
        </Trans>
      )}
    </Notice>
  );
}

/** Says when it was stopped or ended, and whether the bank has confirmed it; for a failed setup, says why. */
export function Ended({ mandate }: { mandate: Mandate }) {
  const { stopped_at: stopped, ended_at: ended, state } = mandate;
  if (state === 'failed' && mandate.reason) {
    return (
      <Notice tone="warning">
        <Trans>Automatic renewal was not set up. {mandate.reason} You pay manually, or set it up again.</Trans>
      </Notice>
    );
  }
  if (!ended && !stopped) return null;
  return (
    <Notice tone="info">
      {stopped && !lives(mandate) && (
        <Trans>
          You stopped automatic renewal on {formatDay(stopped)}. Your bank has confirmed it. You pay renewals manually.
        </Trans>
      )}
      {stopped && lives(mandate) && (
        <Trans>
          You stopped automatic renewal on {formatDay(stopped)}. We send no further debit to your bank. Your bank has
          not confirmed it yet.
        </Trans>
      )}
      {!stopped && ended && (
        <Trans>Automatic renewal ended at your bank on {formatDay(ended)}. You pay renewals manually.</Trans>
      )}
    </Notice>
  );
}

/** That the debit of the next renewal was skipped, and what to do. */
export function Skipped({ mandate }: { mandate: Mandate }) {
  if (mandate.skipped_on === '-') return null;
  return (
    <Notice tone="info">
      <Trans>You skipped the debit for the renewal on {formatDate(mandate.skipped_on)}.</Trans>{' '}
      {mandate.can_unskip ? (
        <Trans>Pay this renewal manually, or undo the skip while there is time to tell your bank.</Trans>
      ) : (
        <Trans>Pay this renewal manually.</Trans>
      )}
    </Notice>
  );
}

/** Says that the debit of the next bill failed, why, and the next attempt, with a button to pay. */
export function Failed({ debit, children }: { debit: MandateDebit; children?: ReactNode }) {
  const next = debit.next_try === '-' ? '' : formatDate(debit.next_try);
  return (
    <Notice tone="warning">
      <Trans>
        {debit.amount} could not be debited on {formatDate(debit.on)}: {debit.why ?? ''}.
      </Trans>{' '}
      {next && (
        <>
          <Trans>Next try on {next}.</Trans>{' '}
        </>
      )}
      {debit.advice ?? ''}
      {children}
    </Notice>
  );
}

/** That the next bill is not debited by this mandate, and what to do. */
export function AboveLimit({ mandate }: { mandate: Mandate }) {
  if (!mandate.warning) return null;
  return (
    <Notice tone="warning">
      <Trans>Your next bill is not debited: {mandate.warning}.</Trans> {mandate.advice ?? ''}
    </Notice>
  );
}

/** That the plan has ended, so that nothing is debited until the customer pays. */
export function PayToStart({ mandate, children }: { mandate: Mandate; children?: ReactNode }) {
  if (!mandate.pay_to_start) return null;
  return (
    <Notice tone="danger">
      <Trans>
        Your plan has ended and nothing is debited. Pay manually to start it again; automatic renewal then continues.
      </Trans>
      {children}
    </Notice>
  );
}
