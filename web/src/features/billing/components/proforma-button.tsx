import { t } from '@lingui/core/macro';
import DownloadIcon from 'bootstrap-icons/icons/download.svg?component';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { proformaLink } from '@/domain/payment/api/transfers';
import { explain } from '@/lib/api/errors';
import { openTab } from '@/lib/open-tab';
import { toast } from '@/lib/toast';

export interface ProformaButtonProps {
  id: string;
  number: string;
  printed: boolean;
}

/** Opens the PDF of a proforma in a new tab. */
export function ProformaButton({ id, number, printed }: ProformaButtonProps) {
  const [pending, setPending] = useState(false);
  const [blocked, setBlocked] = useState('');
  if (!printed) return <p role="status" className="text-muted text-sm">{t`Your proforma is being prepared.`}</p>;
  const handleClick = async () => {
    setPending(true);
    setBlocked('');
    const opened = openTab();
    try {
      const { url } = await proformaLink(id);
      const tab = await opened;
      if (url && tab) tab.location.replace(url);
      else tab?.close();
      if (url && !tab) setBlocked(url);
      if (!url) toast.warn(t`Your proforma is being prepared.`);
    } catch (error) {
      (await opened)?.close();
      toast.error(explain(error));
    }
    setPending(false);
  };
  return (
    <p>
      <Button variant="outline" size="sm" pending={pending} onClick={() => void handleClick()}>
        <DownloadIcon />
        {t`Proforma (PDF)`}
        <span className="visually-hidden"> {number}</span>
      </Button>
      {blocked && (
        <>
          {' '}
          <a href={blocked} target="_blank" rel="noreferrer">{t`Open the proforma`}</a>
        </>
      )}
    </p>
  );
}
