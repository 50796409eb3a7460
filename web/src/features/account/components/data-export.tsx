import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { z } from 'zod/mini';
import { Button } from '@/components/button';
import { Form, SubmitButton } from '@/components/form/form';
import { PasswordField } from '@/components/form/password-field';
import { useAppForm } from '@/components/form/use-app-form';
import { Notice } from '@/components/notice';
import { saveFile, type NamedFile } from '@/lib/save-file';
import { currentPassword } from '@/lib/validation';
import { useExportData } from '../api/export-data';

const schema = z.object({ password: currentPassword() });

/** Exports the person's data and saves it as a download. */
export function DataExport({ onDone }: { onDone: () => void }) {
  const collect = useExportData();
  const [file, setFile] = useState<NamedFile | null>(null);
  const form = useAppForm({
    schema,
    defaultValues: { password: '' },
    onSubmit: async ({ password }) => {
      const collected = await collect.mutateAsync(password);
      saveFile(collected);
      setFile(collected);
    },
  });
  if (file) {
    return (
      <div className="stack">
        <Notice tone="success" live>
          <Trans>
            Your data is in your downloads as <strong className="text-break">{file.name}</strong>.
          </Trans>
        </Notice>
        <div className="form-actions">
          <Button onClick={onDone}>{t`Done`}</Button>
          <Button variant="quiet" onClick={() => saveFile(file)}>{t`Download again`}</Button>
        </div>
      </div>
    );
  }
  return (
    <Form form={form} label={t`Download your data`}>
      <p className="text-muted">{t`Your profile, sign-ins, store, address, plan, payments, invoices and messages to us. Keep the file where nobody else can open it.`}</p>
      <PasswordField autoComplete="current-password" />
      <SubmitButton block size="lg">{t`Collect and download`}</SubmitButton>
    </Form>
  );
}
