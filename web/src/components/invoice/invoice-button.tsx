import DownloadIcon from 'bootstrap-icons/icons/download.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import '@/styles/app.scss';
import { explain } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { Button, type ButtonProps } from '../button';
import { invoiceLinkQuery } from './api/invoice-link';

export interface InvoiceButtonProps extends Pick<ButtonProps, 'variant' | 'size'> {
  /** Of a payments row, an invoice or a credit note. */
  id: string;
  /** The document's number; null while it has none. */
  number: string | null;
}

/** A tab opened by the click itself, because a browser refuses one that opens only after the answer. */
function openTab(): Window | null {
  const tab = window.open('', '_blank');
  if (tab) tab.opener = null;
  return tab;
}

/** Opens an invoice's PDF in a new tab; while it is being prepared it says so and asks again by itself. */
export function InvoiceButton({ id, number, variant = 'outline', size }: InvoiceButtonProps) {
  const [asked, setAsked] = useState(false);
  const [blocked, setBlocked] = useState('');
  const [waited, setWaited] = useState(false);
  const link = useQuery({ ...invoiceLinkQuery(id), enabled: asked && waited });
  const preparing = link.data?.state === 'preparing';

  const handleClick = async () => {
    const tab = openTab();
    setAsked(true);
    setBlocked('');
    const { data } = await link.refetch();
    if (data?.invoice) {
      toast.success('Invoice Downloaded');
      setWaited(false);
      if (tab) tab.location.replace(data.invoice);
      else setBlocked(data.invoice);
      return;
    }
    tab?.close();
    setWaited(data?.state === 'preparing');
  };

  return (
    <span className="invoice-button">
      <Button variant={variant} size={size} pending={link.isFetching || preparing} aria-label={`Download invoice${number ? ` ${number}` : ''}, PDF`} onClick={() => void handleClick()}>
        {!link.isFetching && !preparing && <DownloadIcon />}
        Invoice
      </Button>
      <span role="status" className="text-muted text-sm">
        {preparing && 'Your invoice is being prepared.'}
        {waited && link.data?.state === 'ready' && 'Your invoice is ready.'}
      </span>
      {link.isError && !link.isFetching && (
        <span role="alert" className="text-danger text-sm">
          {explain(link.error)}
        </span>
      )}
      {blocked && (
        <a href={blocked} target="_blank" rel="noreferrer">
          Open {number ?? 'the invoice'}
        </a>
      )}
    </span>
  );
}
