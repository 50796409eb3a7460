import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ListPage } from '@/ui/list/list-page';
import { anyText, oneOf, useListState } from '@/ui/list/use-list-state';
import { creditsQuery } from '../api/transfers';
import { CsvLink } from '../shared/csv-link';
import { creditColumns, type CreditAct } from './transfer-credit-row';
import { TransferDialogs } from './transfer-dialogs';
import { creditStates } from './transfer-words';

/** The transfers that came in, newest first, with what each pays or may pay, and for finance what to do with it. */
export function TransferCredits() {
  const [act, setAct] = useState<CreditAct>();
  const { filter, page } = useListState({ state: oneOf(creditStates), search: anyText });
  const list = useQuery(creditsQuery({ page, ...filter }));
  return (
    <>
      <ListPage
        wide
        untitled
        title="Transfers that came in"
        query={list}
        what="the transfers"
        columns={creditColumns(setAct)}
        rowKey={(one) => one.id}
        search={{ label: 'Find', placeholder: 'UTR, payer or remark' }}
        acts={<CsvLink list="bank-credits" filter={filter} />}
        empty="What comes in on customers’ account numbers appears here automatically; credits of our own account are entered from the bank’s statement."
      />
      {act && <TransferDialogs act={act} onClose={() => setAct(undefined)} />}
    </>
  );
}
