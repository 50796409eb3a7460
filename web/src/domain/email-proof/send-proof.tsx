import { t } from '@lingui/core/macro';
import { explain } from '@/lib/api/errors';
import { Button } from '@/ui/button';
import { useSendEmailProof } from './api/email-proof';

/** Resends the link that confirms the e-mail address, and shows whether it was sent. */
export function SendProof() {
  const send = useSendEmailProof();
  return (
    <>
      {send.error && (
        <p className="text-danger" role="alert">
          {explain(send.error)}
        </p>
      )}
      <p role="status">{send.data?.message}</p>
      <Button variant="outline" size="sm" pending={send.isPending} onClick={() => send.mutate()}>
        {t`Send the link again`}
      </Button>
    </>
  );
}
