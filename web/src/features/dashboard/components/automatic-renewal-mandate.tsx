import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useRef, useState, type ReactNode } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Notice } from '@/ui/notice';
import { explain } from '@/lib/api/errors';
import { formatDay } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useMandateChange, type MandateChange } from '../api/automatic-renewal';
import { failureOf, methodName, underWay, type Mandate, type MandateDebit } from '../automatic-renewal';
import { AboveLimit, Ended, Facts, Failed, PayToStart, Skipped, Waiting } from './automatic-renewal-facts';

interface StopDialogProps {
  open: boolean;
  pending: boolean;
  problem: ReactNode;
  onClose: () => void;
  onStop: () => void;
}

function StopDialog({ open, pending, problem, onClose, onStop }: StopDialogProps) {
  const footer = (
    <>
      <Button variant="quiet" onClick={onClose}>
        <Trans>Keep it</Trans>
      </Button>
      <Button variant="danger" pending={pending} onClick={onStop}>
        <Trans>Stop</Trans>
      </Button>
    </>
  );
  return (
    <Modal open={open} title={t`Stop automatic renewal?`} onClose={onClose} footer={footer}>
      <div className="stack-sm">
        {problem}
        <p>
          <Trans>
            We send no further debit to your bank. A debit that your bank already has can still go through. The days
            that you have paid for stay yours, and you pay renewals manually.
          </Trans>
        </p>
      </div>
    </Modal>
  );
}

interface ActionsProps {
  mandate: Mandate;
  /** The change that is under way, if one is. */
  waiting: MandateChange | null;
  onStop: () => void;
  onChange: (what: MandateChange) => void;
}

function Actions({ mandate, waiting, onStop, onChange }: ActionsProps) {
  return (
    <div className="form-actions">
      {mandate.next_debit?.can_skip && (
        <Button variant="outline" size="sm" pending={waiting === 'skip'} onClick={() => onChange('skip')}>
          <Trans>Skip this debit</Trans>
        </Button>
      )}
      {mandate.can_unskip && (
        <Button size="sm" pending={waiting === 'unskip'} onClick={() => onChange('unskip')}>
          <Trans>Undo the skip</Trans>
        </Button>
      )}
      {mandate.can_pause && (
        <Button variant="outline" size="sm" pending={waiting === 'pause'} onClick={() => onChange('pause')}>
          <Trans>Pause</Trans>
        </Button>
      )}
      {mandate.can_resume && (
        <Button size="sm" pending={waiting === 'resume'} onClick={() => onChange('resume')}>
          <Trans>Resume</Trans>
        </Button>
      )}
      {mandate.can_stop && (
        <Button variant="quiet" size="sm" onClick={onStop}>
          <Trans>Stop automatic renewal</Trans>
        </Button>
      )}
    </div>
  );
}

export interface AutomaticRenewalMandateProps {
  mandate: Mandate;
  /** The newest first. */
  debits: readonly MandateDebit[];
  /** Pays the open renewal manually, where the warning says so. */
  payNow?: ReactNode;
}

/** The current mandate, and the customer's actions on it. */
export function AutomaticRenewalMandate({ mandate, debits, payNow }: AutomaticRenewalMandateProps) {
  const [stopping, setStopping] = useState(false);
  const change = useMandateChange(mandate.id);
  const busy = useRef(false);
  const failure = failureOf(debits);
  const run = (what: MandateChange) => {
    if (busy.current) return; // a second click repeats the same request
    busy.current = true;
    change.mutate(what, {
      onSettled: () => {
        busy.current = false;
      },
      onSuccess: ({ message }) => {
        toast.success(message);
        setStopping(false);
      },
    });
  };
  const handleClose = () => {
    change.reset();
    setStopping(false);
  };
  const problem = change.isError && (
    <Notice tone="danger" live>
      {explain(change.error)}
    </Notice>
  );
  return (
    <section className="panel stack-sm" aria-labelledby="mandate">
      <h2 id="mandate">{methodName(mandate.method)}</h2>
      {!stopping && problem}
      {mandate.state === 'paused' && (
        <Notice tone="warning">
          <Trans>Resume it in your UPI app or at your bank, or pay manually meanwhile.</Trans>
        </Notice>
      )}
      {mandate.state === 'requested' ? <Waiting mandate={mandate} /> : <Ended mandate={mandate} />}
      <PayToStart mandate={mandate}>{payNow}</PayToStart>
      {failure && <Failed debit={failure}>{!mandate.pay_to_start && payNow}</Failed>}
      <AboveLimit mandate={mandate} />
      <Skipped mandate={mandate} />
      <Facts mandate={mandate} working={underWay(debits)} />
      <details>
        <summary>
          <Trans>What you agreed to on {formatDay(mandate.consented_at)}</Trans>
        </summary>
        <p>{mandate.consent_text}</p>
      </details>
      <Actions
        mandate={mandate}
        waiting={change.isPending ? change.variables : null}
        onStop={() => setStopping(true)}
        onChange={run}
      />
      <StopDialog
        open={stopping}
        pending={change.isPending}
        problem={problem}
        onClose={handleClose}
        onStop={() => run('stop')}
      />
    </section>
  );
}
