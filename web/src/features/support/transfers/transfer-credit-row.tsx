import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Column } from '@/ui/list/list-table';
import { formatDay } from '@/lib/format';
import { meQuery } from '../api/queries';
import { may } from '../api/rights';
import type { BankCredit, BankCreditUse, TransferProposal } from '../api/transfers';
import { rupees } from '../customers/customer-words';
import { DecisionButton, SecondPerson } from '../staff/second-person';
import { creditStates, fitsText, proposalText, textOfUse } from './transfer-words';
import { Offer } from '../shared/offer';

/** What staff want to do with a transfer. */
export type CreditAct =
  | { kind: 'assign'; credit: BankCredit; proposal?: TransferProposal }
  | { kind: 'return' | 'dismissal' | 'release'; credit: BankCredit }
  | { kind: 'approve' | 'decline'; credit: BankCredit; use: BankCreditUse };

export interface TransferCreditRowProps {
  of: BankCredit;
  onAct: (act: CreditAct) => void;
}

function Uses({ of: credit, onAct }: TransferCreditRowProps) {
  const me = useQuery(meQuery);
  // Only an admin decides returns; finance also decides the rest. Users cannot decide their own requests.
  const decides = (use: BankCreditUse) =>
    use.state === 'waiting' &&
    use.requested_by !== me.data?.id &&
    may(me.data?.role, use.kind === 'return' ? 'admin' : 'money');
  return (
    <ul className="trail-list">
      {credit.uses.map((use) => (
        <li key={use.id}>
          {textOfUse(use)}{' '}
          {decides(use) && (
            <SecondPerson askedBy={use.requested_by}>
              <DecisionButton size="sm" onClick={() => onAct({ kind: 'approve', credit, use })}>
                Approve
              </DecisionButton>{' '}
              <DecisionButton variant="outline" size="sm" onClick={() => onAct({ kind: 'decline', credit, use })}>
                Decline
              </DecisionButton>
            </SecondPerson>
          )}
        </li>
      ))}
    </ul>
  );
}

function Proposals({ of: credit, onAct }: TransferCreditRowProps) {
  const me = useQuery(meQuery);
  const busy = credit.uses.some(({ state }) => state === 'waiting' || state === 'requested');
  if (busy || credit.returnable_paise === 0) return null;
  const acts = may(me.data?.role, 'money');
  return (
    <>
      {credit.state === 'open' && credit.proposals.length === 0 && <p>No open bill fits.</p>}
      {credit.proposals.length > 1 && <p>{fitsText(credit.proposals)}</p>}
      <ul className="trail-list">
        {credit.proposals.map((proposal, index) => (
          <li key={proposal.proforma_id}>
            {proposalText(proposal)}{' '}
            {acts && (
              <Offer
                variant={index === 0 && proposal.basis !== 'amount' ? 'primary' : 'outline'}
                onClick={() => onAct({ kind: 'assign', credit, proposal })}
                of={`to ${proposal.number}`}
              >
                Assign
              </Offer>
            )}
          </li>
        ))}
      </ul>
      {acts && (
        <p className="mt-3">
          {credit.state === 'open' && (
            <Offer onClick={() => onAct({ kind: 'assign', credit })} of="bill">
              Assign to another
            </Offer>
          )}{' '}
          <Offer onClick={() => onAct({ kind: 'return', credit })} of={credit.utr}>
            Return
          </Offer>{' '}
          {credit.held_paise > 0 && (
            <Offer variant="quiet" onClick={() => onAct({ kind: 'release', credit })} of={credit.utr}>
              Take from its bill
            </Offer>
          )}{' '}
          {credit.rest_paise === credit.amount_paise && (
            <Offer variant="quiet" onClick={() => onAct({ kind: 'dismissal', credit })} of={credit.utr}>
              Dismiss
            </Offer>
          )}
        </p>
      )}
    </>
  );
}

function Payer({ of: credit }: { of: BankCredit }) {
  return (
    <>
      {credit.customer_id && (
        <Link to={`/support/customers/${credit.customer_id}`}>{credit.customer_name || 'Customer'}</Link>
      )}
      {[credit.payer_name, credit.payer_account, credit.narration].filter(Boolean).map((text) => (
        <span key={text} className="console-hint d-block">
          {text}
        </span>
      ))}
    </>
  );
}

/** The columns of the transfers that came in. */
export const creditColumns = (onAct: TransferCreditRowProps['onAct']): Column<BankCredit>[] => [
  { label: 'UTR', cell: ({ utr }) => <span className="text-break">{utr}</span> },
  { label: 'Day', cell: (credit) => formatDay(credit.paid_at) },
  { label: 'Payer', cell: (credit) => <Payer of={credit} />, long: true },
  { label: 'Amount', cell: (credit) => rupees(credit.amount_paise), numeric: true },
  {
    label: 'Left',
    cell: (credit) => (credit.state === 'dismissed' ? '–' : rupees(credit.rest_paise)),
    numeric: true,
  },
  {
    label: 'State',
    filter: { name: 'state', options: creditStates },
    cell: ({ uses, state, note }) => (
      <>
        {uses.some((use) => use.state === 'waiting') ? 'Waits for a colleague' : creditStates[state]}
        {note && <span className="console-hint d-block">{note}</span>}
      </>
    ),
  },
  {
    label: 'Pays',
    cell: (credit) => (
      <>
        <Uses of={credit} onAct={onAct} />
        <Proposals of={credit} onAct={onAct} />
      </>
    ),
    long: true,
  },
];
