import { t } from '@lingui/core/macro';
import CheckIcon from 'bootstrap-icons/icons/check-lg.svg?component';
import CopyIcon from 'bootstrap-icons/icons/copy.svg?component';
import { useEffect, useState } from 'react';
import { toast } from '@/lib/toast';
import { Button } from './button';

/** The copy icon returns after this many milliseconds. */
const RESET_MS = 2000;

export interface CopyButtonProps {
  value: string;
  /** What is copied, for the button's label, e.g. "Copy order id". */
  what: string;
  /** The toast shown after copying. */
  done?: string;
}

/** Copies a value, shows a toast, and a tick for two seconds. */
export function CopyButton({ value, what, done = t`Copied` }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), RESET_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      toast.success(done);
    } catch {
      toast.warn(t`Copying is blocked here. Select the text and copy it.`);
    }
  };

  return (
    <Button variant="quiet" size="sm" onClick={() => void handleCopy()}>
      {copied ? <CheckIcon /> : <CopyIcon />}
      <span>
        {copied ? t`Copied` : t`Copy`}
        <span className="visually-hidden"> {what}</span>
      </span>
    </Button>
  );
}
