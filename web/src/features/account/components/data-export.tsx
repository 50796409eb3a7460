import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { z } from 'zod/mini';
import { Button } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { saveFile, type NamedFile } from '@/lib/save-file';
import { authenticatorCode, currentPassword } from '@/lib/validation';
import { useExportData } from '../api/export-data';
import { ProofFields } from '@/domain/proof-fields';

const schema = z.object({ password: currentPassword(), code: z.optional(authenticatorCode()) });

/** Exports the person's data and saves it as a download. */
export function DataExport({ onDone }: { onDone: () => void }) {
  const collect = useExportData();
  const [file, setFile] = useState<NamedFile | null>(null);
  const form = useAppForm({
    schema,
    defaultValues: { password: '' },
    onSubmit: async (proof) => {
      const collected = await collect.mutateAsync(proof);
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
      <ProofFields />
      <SubmitButton block size="lg">{t`Collect and download`}</SubmitButton>
    </Form>
  );
}
