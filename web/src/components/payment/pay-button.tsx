import LockIcon from 'bootstrap-icons/icons/shield-lock.svg?component';
import { useEffect, useState } from 'react';
import { Button } from '../button';

/** So long what is to be paid stands before its button takes a press: two clicks of a double click are closer together. */
const STANDS_MS = 700;

export interface PayButtonProps {
  /** What is paid, with the total. Another one has to stand for a moment too. */
  label: string;
  pending: boolean;
  onPay: () => void;
}

/** Pays what stands above it. A press that was meant for what stood there before is not taken, nor one that follows it at once. */
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
