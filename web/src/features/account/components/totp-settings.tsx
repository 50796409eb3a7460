import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { Badge } from '@/ui/notice';
import { latePart } from '@/start/page/late';
import { Async } from '@/ui/states';
import { sessionQuery } from '@/lib/session/session-query';
import { SettingsRow } from './settings-section';

const TotpSetupDialog = latePart(async () => (await import('./dialogs')).TotpSetupDialog);
const TotpOffDialog = latePart(async () => (await import('./dialogs')).TotpOffDialog);

/** The authenticator app: whether login requires its code, and the dialogs that switch it on and off. */
export function TotpSettings() {
  const session = useQuery(sessionQuery);
  const [open, setOpen] = useState<'on' | 'off' | null>(null);
  if (session.data === undefined) return <Async query={session} what={t`your authenticator app`} lines={2} />;

  const enabled = session.data['franchiser-user'].totp_enabled;
  const handleClose = () => setOpen(null);
  return (
    <>
      <SettingsRow
        title={
          <>
            <Trans>
              Authenticator app <Badge tone={enabled ? 'success' : undefined}>{enabled ? t`On` : t`Off`}</Badge>
            </Trans>
          </>
        }
        action={
          <Button variant={enabled ? 'outline' : 'primary'} size="sm" onClick={() => setOpen(enabled ? 'off' : 'on')}>
            {enabled ? t`Switch off` : t`Set up`}
            <span className="visually-hidden">{t` the authenticator app`}</span>
          </Button>
        }
      >
        <p>
          {enabled
            ? t`After your password, login asks for the six digits that your app shows.`
            : t`Any app for one-time codes will do, for example Google Authenticator, Aegis or 1Password.`}
        </p>
      </SettingsRow>
      <TotpSetupDialog open={open === 'on'} onClose={handleClose} />
      <TotpOffDialog open={open === 'off'} onClose={handleClose} />
    </>
  );
}
