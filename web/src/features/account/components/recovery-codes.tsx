import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { Button } from '@/ui/button';
import { CopyButton } from '@/ui/copy-button';
import { Notice } from '@/ui/notice';
import { saveFile } from '@/lib/save-file';

export interface RecoveryCodesProps {
  codes: readonly string[];
  onDone: () => void;
}

/** The recovery codes, which are never shown again. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = codes.join('\n');
  const handleSave = () =>
    saveFile({
      blob: new Blob([t`Franchise 360 recovery codes\n\n${text}\n`], { type: 'text/plain' }),
      name: 'franchise360-recovery-codes.txt',
    });
  return (
    <div className="stack">
      <h3 className="recovery-heading" ref={heading} tabIndex={-1}>{t`Keep your recovery codes`}</h3>
      <Notice tone="warning">{t`Each code logs you in once if your phone is lost. They are not shown again.`}</Notice>
      <ul className="recovery-codes" aria-label={t`Recovery codes`}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="form-actions">
        <Button variant="outline" onClick={handleSave}>{t`Save as a file`}</Button>
        <CopyButton value={text} what={t`recovery codes`} done={t`Recovery codes copied`} />
      </div>
      <Button block size="lg" onClick={onDone}>{t`I have kept them`}</Button>
    </div>
  );
}
