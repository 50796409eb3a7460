import { plural, t } from '@lingui/core/macro';
import { useRef } from 'react';
import { Button } from '@/ui/button';
import { FileField } from '@/ui/form/file-field';
import { MAX_FILES, type useUploads } from './use-uploads';
import './uploads.scss';

function sizeText(bytes: number): string {
  return bytes < 1024 * 1024
    ? t`${Math.max(1, Math.round(bytes / 1024))} KB`
    : t`${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button type="button" variant="quiet" size="sm" onClick={onClick}>
      {t`Remove`}
      <span className="visually-hidden"> {name}</span>
    </Button>
  );
}

/** Chooses the files of a message. It lists them, and the refused ones with the reasons. */
export function Uploads({ of }: { of: ReturnType<typeof useUploads> }) {
  const { files, refused, uploading, current, held } = of;
  const field = useRef<HTMLInputElement>(null);
  const removeRefused = (file: number) => {
    of.removeRefused(file);
    field.current?.focus();
  };
  const names = refused.map(({ name }) => name).join(', ');
  const error = held
    ? plural(refused.length, {
        one: `Your message is not sent yet. Remove ${names} to send it without this file.`,
        other: `Your message is not sent yet. Remove ${names} to send it without these files.`,
      })
    : t`Not added: ${names}`;
  return (
    <div className="field">
      <FileField
        ref={field}
        label={t`Files (optional)`}
        hint={
          uploading ? t`Uploading ${current}…` : t`Up to five: PDF, PNG, JPEG, WebP or plain text, at most 5 MB each.`
        }
        error={refused.length > 0 && error}
        multiple
        accept=".pdf,.png,.jpg,.jpeg,.webp,.txt"
        disabled={uploading || files.length >= MAX_FILES}
        onChange={of.add}
      />
      {refused.length > 0 && (
        <ul className="uploads uploads-refused" aria-label={t`Files that are not added`}>
          {refused.map((file) => (
            <li key={file.id}>
              <span className="field-error">
                {t`${file.name} is not added.`} {file.why}
              </span>
              <RemoveButton name={file.name} onClick={() => removeRefused(file.id)} />
            </li>
          ))}
        </ul>
      )}
      {files.length > 0 && (
        <ul className="uploads" aria-label={t`Added files`}>
          {files.map((file) => (
            <li key={file.id}>
              <span>
                {file.name} <span className="text-muted text-sm">{sizeText(file.size)}</span>
              </span>
              <RemoveButton name={file.name} onClick={() => of.remove(file.id)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
