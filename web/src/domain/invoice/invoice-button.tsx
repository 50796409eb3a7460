import { t } from '@lingui/core/macro';
import DownloadIcon from 'bootstrap-icons/icons/download.svg?component';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import '@/styles/app.scss';
import { explain } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { openTab } from '@/lib/open-tab';
import { toast } from '@/lib/toast';
import { Button, type ButtonProps } from '@/ui/button';
import { invoiceLinkQuery } from './api/invoice-link';

type Kind = components['schemas']['TaxDocument']['kind'];

/** The display names of the kinds of tax documents. */
const names: Record<Kind, string> = {
  invoice: t`Invoice`,
  credit_note: t`Credit note`,
  receipt_voucher: t`Receipt voucher`,
  refund_voucher: t`Refund voucher`,
};

export interface InvoiceButtonProps extends Pick<ButtonProps, 'variant' | 'size'> {
  /** The id of a payment, for its invoice, or of any tax document. */
  id: string;
  /** The document's number; null if not yet assigned. */
  number: string | null;
  kind?: Kind;
}

/** Opens a tax document's PDF in a new tab; while the PDF is being prepared, it shows so and polls. */
export function InvoiceButton({ id, number, kind = 'invoice', variant = 'outline', size }: InvoiceButtonProps) {
  const name = names[kind];
  const noun = name.toLowerCase();
  const [asked, setAsked] = useState(false);
  const [blocked, setBlocked] = useState('');
  const [waited, setWaited] = useState(false);
  const link = useQuery({ ...invoiceLinkQuery(id), enabled: asked && waited });
  const preparing = link.data?.state === 'preparing';

  const handleClick = async () => {
    setAsked(true);
    setBlocked('');
    const [tab, { data }] = await Promise.all([openTab(), link.refetch()]);
    if (data?.invoice) {
      toast.success(kind === 'invoice' ? t`Invoice Downloaded` : t`${name} downloaded`);
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
      <Button
        variant={variant}
        size={size}
        pending={link.isFetching || preparing}
        aria-label={number ? t`Download ${noun} ${number}, PDF` : t`Download ${noun}, PDF`}
        onClick={() => void handleClick()}
      >
        {!link.isFetching && !preparing && <DownloadIcon />}
        {name}
      </Button>
      <span role="status" className="text-muted text-sm">
        {preparing && t`Your ${noun} is being prepared.`}
        {waited && link.data?.state === 'ready' && t`Your ${noun} is ready.`}
      </span>
      {link.isError && !link.isFetching && (
        <span role="alert" className="text-danger text-sm">
          {explain(link.error)}
        </span>
      )}
      {blocked && (
        <a href={blocked} target="_blank" rel="noreferrer">
          {number === null ? t`Open the ${noun}` : t`Open ${number}`}
        </a>
      )}
    </span>
  );
}
