import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { transfersQuery } from './api/transfers';
import { transferPath } from './transfer-offer';

/** Warns before an online payment that a bank transfer has already paid part of a bill: the online payment is in addition to it. */
export function PartByTransfer() {
  const { data } = useQuery(transfersQuery);
  const bill = data?.transfers.find(({ state, received_paise: received }) => state === 'open' && received > 0);
  if (!bill) return null;
  return (
    <Notice tone="warning">
      <p>
        {t`${bill.received} has arrived by bank transfer for ${bill.number}, and ${bill.rest} is still due. Transfer the rest: anything you pay here is charged in addition.`}
      </p>
      <ButtonLink to={transferPath(bill.id)} variant="outline" size="sm" className="mt-3">
        {t`See the transfer`}
      </ButtonLink>
    </Notice>
  );
}
