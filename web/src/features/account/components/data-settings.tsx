import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { latePart } from '@/start/page/late';
import { ErasureSettings } from './erasure-settings';
import { SettingsRow } from './settings-section';

const ExportDialog = latePart(async () => (await import('./dialogs')).ExportDialog);

/** The rights to a copy of one's data and to its erasure. */
export function DataSettings() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <SettingsRow
        title={t`A copy of your data`}
        action={
          <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
            <Trans>
              Download<span className="visually-hidden"> your data</span>
            </Trans>
          </Button>
        }
      >
        <p>{t`Everything we keep about you, in one file (JSON).`}</p>
      </SettingsRow>
      <ErasureSettings />
      <ExportDialog open={open} onClose={() => setOpen(false)} />
    </>
  );
}
