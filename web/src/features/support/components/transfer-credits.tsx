import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Pagination } from '@/components/pagination';
import { EmptyState, QueryStates } from '@/components/states';
import { toast } from '@/lib/toast';
import { creditsQuery, type BankCredit } from '../api/transfers';
import { ConsoleTable } from './console-table';
import { CsvLink } from './csv-link';
import { ListSearch } from './list-search';
import { StateFilter } from './state-filter';
import { TransferCreditRow, type CreditAct } from './transfer-credit-row';
import { TransferDialogs } from './transfer-dialogs';
import { creditStates } from './transfer-words';

/** The transfers that came in, newest first, with what each pays or may pay, and for finance what to do with it. */
export function TransferCredits() {
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const [act, setAct] = useState<CreditAct>();
  const state = (Object.keys(creditStates) as BankCredit['state'][]).find((one) => one === params.get('state'));
  const search = params.get('search') ?? '';
  const list = useQuery({
    ...creditsQuery({
      page: Math.max(1, Number(params.get('page')) || 1),
      ...(state && { state }),
      ...(search && { search }),
    }),
    placeholderData: keepPreviousData,
    // A worker books requested uses shortly after; poll until then.
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ uses }) => uses.some((use) => use.state === 'requested')) ? 2000 : false,
  });
  const done = ({ message }: { message: string }) => {
    setAct(undefined);
    toast.success(message);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'support' });
  };
  return (
    <>
      <div className="console-bar">
        <StateFilter id="credit-state" label="State" names={creditStates} value={state} />
        <ListSearch id="credit-search" label="Find" placeholder="UTR, payer or remark" />
        <CsvLink list="bank-credits" filter={{ state, search }} />
      </div>
      <QueryStates query={list} what="the transfers" lines={6} />
      {list.data?.data.length === 0 && (
        <EmptyState title="Nothing here">
          What comes in on customers’ account numbers appears here automatically; credits of our own account are entered
          from the bank’s statement.
        </EmptyState>
      )}
      {list.data && list.data.data.length > 0 && (
        <ConsoleTable
          wide
          caption="Transfers that came in"
          heads={['UTR', 'Day', 'Payer', 'Amount', 'Left', 'State', 'Pays']}
        >
          {list.data.data.map((one) => (
            <TransferCreditRow key={one.id} of={one} onAct={setAct} />
          ))}
        </ConsoleTable>
      )}
      {list.data && (
        <Pagination label="Pages of transfers" current={list.data.current_page} last={list.data.last_page} />
      )}
      {act && <TransferDialogs act={act} onDone={done} onClose={() => setAct(undefined)} />}
    </>
  );
}
