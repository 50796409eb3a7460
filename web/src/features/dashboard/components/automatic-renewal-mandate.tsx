import { useState, type ReactNode } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { Notice } from '@/components/notice';
import { explain } from '@/lib/api/errors';
import { formatDate, formatDay } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useMandateChange, type MandateChange } from '../api/automatic-renewal';
import { methodWords, stateOf, type Mandate } from '../automatic-renewal';

function Facts({ mandate }: { mandate: Mandate }) {
  const { next_debit: next } = mandate;
  return (
    <dl className="order-facts">
      <div>
        <dt>State</dt>
        <dd>{stateOf(mandate)}</dd>
      </div>
      <div>
        <dt>Paid by</dt>
        <dd>
          {methodWords[mandate.method]} {mandate.masked}
        </dd>
      </div>
      <div>
        <dt>At most per debit</dt>
        <dd className="tabular">{mandate.cap}</dd>
      </div>
      <div>
        <dt>Next debit</dt>
        <dd className="tabular">{next ? `${next.amount} on ${formatDate(next.on)}` : 'None'}</dd>
      </div>
      <div>
        <dt>Ends on</dt>
        <dd>{formatDate(mandate.ends_on)}</dd>
      </div>
    </dl>
  );
}

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
        Keep it
      </Button>
      <Button variant="danger" pending={pending} onClick={onStop}>
        Stop
      </Button>
    </>
  );
  return (
    <Modal open={open} title="Stop automatic renewal?" onClose={onClose} footer={footer}>
      <div className="stack-sm">
        {problem}
        <p>Nothing is debited any more. The days that you have paid for stay yours, and you pay renewals by hand.</p>
      </div>
    </Modal>
  );
}

/** The mandate as it stands, and all that the customer can do with it. */
export function AutomaticRenewalMandate({ mandate }: { mandate: Mandate }) {
  const [stopping, setStopping] = useState(false);
  const change = useMandateChange(mandate.id);
  const run = (what: MandateChange) =>
    change.mutate(what, {
      onSuccess: ({ message }) => {
        toast.success(message);
        setStopping(false);
      },
    });
  const waits = (what: MandateChange) => change.isPending && change.variables === what;
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
      <h2 id="mandate">How it stands</h2>
      {!stopping && problem}
      {mandate.state === 'paused' && (
        <Notice tone="warning">Resume it in your UPI app or at your bank, or pay by hand meanwhile.</Notice>
      )}
      {mandate.state === 'requested' && (
        <Notice tone="info">
          Your bank has not confirmed it yet. If you did not finish at the payment page, choose how to pay below again.
        </Notice>
      )}
      <Facts mandate={mandate} />
      <details>
        <summary>What you agreed to on {formatDay(mandate.consented_at)}</summary>
        <p>{mandate.consent_text}</p>
      </details>
      <div className="form-actions">
        {mandate.next_debit?.can_skip && (
          <Button variant="outline" size="sm" pending={waits('skip')} onClick={() => run('skip')}>
            Skip this debit
          </Button>
        )}
        {mandate.can_pause && (
          <Button variant="outline" size="sm" pending={waits('pause')} onClick={() => run('pause')}>
            Pause
          </Button>
        )}
        {mandate.can_resume && (
          <Button size="sm" pending={waits('resume')} onClick={() => run('resume')}>
            Resume
          </Button>
        )}
        {mandate.can_stop && (
          <Button variant="danger" size="sm" onClick={() => setStopping(true)}>
            Stop automatic renewal
          </Button>
        )}
      </div>
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
