import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { Notice } from '@/ui/notice';
import { useCancelTransfer, type Transfer } from '@/domain/payment/api/transfers';
import { explain } from '@/lib/api/errors';
import { toast } from '@/lib/toast';

/** Cancels a proforma for which no money came, after a question. */
export function TransferCancel({ of: bill }: { of: Transfer }) {
  const [asking, setAsking] = useState(false);
  const cancel = useCancelTransfer(bill.id);
  const handleCancel = () =>
    cancel.mutate(undefined, {
      onSuccess: () => {
        toast.success(t`The proforma is cancelled.`);
        setAsking(false);
      },
    });
  return (
    <section className="panel panel-raised stack-sm" aria-labelledby="transfer-cancel">
      <h2 id="transfer-cancel" className="text-lg">{t`No longer wanted?`}</h2>
      <p className="text-muted text-sm">
        {t`Cancel the proforma if you do not want to transfer. You can still pay online, or ask for another proforma.`}
      </p>
      <div>
        <Button variant="outline" onClick={() => setAsking(true)}>
          {t`Cancel the proforma`}
        </Button>
      </div>
      <Modal
        open={asking}
        title={t`Cancel proforma ${bill.number}?`}
        onClose={() => setAsking(false)}
        footer={
          <>
            <Button variant="outline" onClick={() => setAsking(false)}>
              {t`Keep it`}
            </Button>
            <Button pending={cancel.isPending} onClick={handleCancel}>
              {t`Yes, cancel it`}
            </Button>
          </>
        }
      >
        {cancel.error && (
          <Notice tone="danger" live>
            {explain(cancel.error)}
          </Notice>
        )}
        <p>
          {t`Cancel it only if no transfer is on its way: we have to check money that arrives for a cancelled proforma first.`}
        </p>
      </Modal>
    </section>
  );
}
