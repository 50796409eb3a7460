import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { erasureQuery } from '@/domain/erasure/api/erasure';
import { useWithdrawErasure } from '@/domain/erasure/api/withdraw-erasure';
import { Badge, Notice } from '@/ui/notice';
import { latePart } from '@/start/page/late';
import { Async } from '@/ui/states';
import { explain } from '@/lib/api/errors';
import { formatDate } from '@/lib/format';
import { SettingsRow } from './settings-section';

const ErasureDialog = latePart(async () => (await import('./dialogs')).ErasureDialog);

/** Account erasure: requested in a dialog, and can be withdrawn until its date. */
export function ErasureSettings() {
  const erasure = useQuery(erasureQuery);
  const withdraw = useWithdrawErasure();
  const [open, setOpen] = useState(false);
  if (erasure.data === undefined) return <Async query={erasure} what={t`the state of your account`} lines={2} />;

  const { erase_on: eraseOn, delay_days: days, owed } = erasure.data;
  return (
    <>
      {eraseOn ? (
        <SettingsRow
          title={
            <>
              <Trans>
                Erase your account <Badge tone="danger">Scheduled</Badge>
              </Trans>
            </>
          }
          action={<Button size="sm" pending={withdraw.pending} onClick={withdraw.keep}>{t`Keep my account`}</Button>}
        >
          <p>
            {owed
              ? t`We owe you ${owed}: your account will be erased once we have returned it, on ${formatDate(eraseOn)} at the earliest.`
              : t`Your account will be erased on ${formatDate(eraseOn)}.`}{' '}
            {t`Until then you can log in and use what you have paid for, but you cannot buy or renew anything.`}
          </p>
        </SettingsRow>
      ) : (
        <SettingsRow
          title={t`Erase your account`}
          action={
            <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
              <Trans>
                Erase<span className="visually-hidden"> your account</span>
              </Trans>
            </Button>
          }
        >
          <p>{t`You have ${days} days to change your mind.`}</p>
        </SettingsRow>
      )}
      {withdraw.error && (
        <Notice tone="danger" live>
          {explain(withdraw.error)}
        </Notice>
      )}
      <ErasureDialog open={open} onClose={() => setOpen(false)} days={days} kept={erasure.data.kept} owed={owed} />
    </>
  );
}
