import { t } from '@lingui/core/macro';
import { useId, useState, type FormEvent } from 'react';
import { Button } from '@/ui/button';
import { Modal } from '@/ui/modal';
import { explain } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { MAX_UPLOAD_BYTES } from '@/lib/upload';
import { useProvide } from '../api/deliveries';
import type { Delivery } from './delivery-rows';

/** By ending: for a sheet, the declared type depends on the programs of the device. */
const ENDINGS = ['.png', '.jpg', '.jpeg', '.webp', '.pdf', '.xlsx', '.csv'];
const MAX_FILES = 10;

/** Why the files cannot be sent; empty if they can. */
function fault(files: readonly File[]): string {
  if (files.length > MAX_FILES) return t`Choose up to 10 files.`;
  const fits = ({ name, size }: File) =>
    size <= MAX_UPLOAD_BYTES && ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));
  const wrong = files.find((file) => !fits(file));
  return wrong ? t`${wrong.name}: send an image (PNG, JPEG, WebP), a PDF or a sheet (XLSX, CSV) of up to 5 MB.` : '';
}

interface ProvideDialogProps {
  open: boolean;
  delivery: Delivery;
  onClose: () => void;
}

/** Sends what a delivery waits for, in words or as files. */
export function ProvideDialog({ open, delivery: { id, name, needs, provided }, onClose }: ProvideDialogProps) {
  const [note, setNote] = useState(provided?.note ?? '');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [problem, setProblem] = useState('');
  const provide = useProvide(id);
  const ids = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    const wrong = note.trim() || files.length > 0 ? fault(files) : t`Write what we need, or choose a file.`;
    setProblem(wrong);
    if (wrong) return;
    provide.mutate(
      { note, files },
      {
        onSuccess: ({ message }) => {
          toast.success(message);
          onClose();
        },
      },
    );
  };
  const error = problem || (provide.error ? explain(provide.error) : '');
  return (
    <Modal open={open} title={name} onClose={onClose} closeOnBackdrop={false}>
      <form className="provide-form" onSubmit={send} noValidate>
        {needs && (
          <p>
            <b>{t`We need from you:`}</b> {needs}
          </p>
        )}
        <div className="field">
          <label className="field-label" htmlFor={`${ids}-note`}>{t`Your answer`}</label>
          <textarea
            id={`${ids}-note`}
            className="input"
            rows={4}
            maxLength={500}
            value={note}
            aria-describedby={`${ids}-hint`}
            onChange={(event) => setNote(event.target.value)}
          />
          <p id={`${ids}-hint`} className="text-muted text-sm">
            {t`Never send a password. Invite us to your account instead.`}
          </p>
        </div>
        <div className="field">
          <label className="field-label" htmlFor={`${ids}-files`}>{t`Files`}</label>
          <input
            id={`${ids}-files`}
            className="input"
            type="file"
            multiple
            accept={ENDINGS.join(',')}
            aria-describedby={`${ids}-types`}
            onChange={(event) => setFiles([...(event.target.files ?? [])])}
          />
          <p
            id={`${ids}-types`}
            className="text-muted text-sm"
          >{t`PNG, JPEG, WebP, PDF, XLSX or CSV, up to 5 MB each.`}</p>
        </div>
        {error && (
          <p role="alert" className="field-error">
            {error}
          </p>
        )}
        <Button type="submit" block pending={provide.isPending}>{t`Send`}</Button>
      </form>
    </Modal>
  );
}
