import LockIcon from 'bootstrap-icons/icons/shield-lock.svg?component';
import { useEffect, useState } from 'react';
import { Button } from '@/ui/button';

/** How long a charge is shown before its button accepts a click, in milliseconds: longer than a double click takes. */
const STANDS_MS = 700;

export interface PayButtonProps {
  /** What is paid, with the total. A different charge must be shown for a moment as well. */
  label: string;
  pending: boolean;
  onPay: () => void;
}

/** Pays the charge above it. It ignores a click meant for the previous content, and a second click immediately after. */
export function PayButton({ label, pending, onPay }: PayButtonProps) {
  const [seen, setSeen] = useState('');
  const [strays, setStrays] = useState(0);
  const early = seen !== label;
  useEffect(() => {
    const timer = setTimeout(() => setSeen(label), STANDS_MS);
    return () => clearTimeout(timer);
  }, [label, strays]);
  const handlePress = () => {
    if (early) setStrays(strays + 1);
    else onPay();
  };
  return (
    <Button size="lg" block pending={pending} aria-disabled={early || undefined} onClick={handlePress}>
      {!pending && <LockIcon />}
      {label}
    </Button>
  );
}
