import { t } from '@lingui/core/macro';
import { useState } from 'react';
import { Button } from '@/components/button';
import { Notice, StatusText } from '@/components/notice';
import { explain } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { useSendEmailProof } from '@/components/email-proof/api/email-proof';

type State = components['schemas']['Profile']['email_state'];

/** Whether the e-mail address is confirmed, and the button that sends the link again; nothing where no e-mail is sent. */
export function EmailState({ state }: { state: State }) {
  const send = useSendEmailProof();
  const [sent, setSent] = useState('');
  if (state === 'off') return null;
  if (state === 'proved') return <StatusText tone="success">{t`Confirmed`}</StatusText>;
  return (
    <div className="email-state">
      <StatusText tone={state === 'refused' ? 'danger' : 'warning'}>
        {state === 'refused' ? t`Our e-mails are rejected` : t`Not confirmed yet`}
      </StatusText>
      <p>
        {state === 'refused'
          ? t`The mail server rejected our message to this address. Change it, or ask for the link again once it works.`
          : t`Open the link in the e-mail we sent there. Until then we send no receipts or invoices to it.`}
      </p>
      {send.error && (
        <Notice tone="danger" live>
          {explain(send.error)}
        </Notice>
      )}
      <p role="status">{!send.error && sent}</p>
      <Button
        variant="outline"
        size="sm"
        pending={send.isPending}
        onClick={() => send.mutate(undefined, { onSuccess: ({ message }) => setSent(message) })}
      >{t`Send the link again`}</Button>
    </div>
  );
}
