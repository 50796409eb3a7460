import { t } from '@lingui/core/macro';
import { SendProof } from '@/domain/email-proof/send-proof';
import { StatusText } from '@/ui/notice';
import type { components } from '@/lib/api/schema.gen';

type State = components['schemas']['Profile']['email_state'];

/** Whether the e-mail address is confirmed, and the button that sends the link again; nothing where no e-mail is sent. */
export function EmailState({ state }: { state: State }) {
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
      <div className="mt-2">
        <SendProof />
      </div>
    </div>
  );
}
