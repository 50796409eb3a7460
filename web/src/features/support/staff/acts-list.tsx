import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Badge } from '@/ui/notice';
import { listOf, ListPage } from '@/ui/list/list-page';
import { actsQuery, decideAct, type Decision, type StaffAct, type StaffActState } from '../api/acts';
import { meQuery } from '../api/queries';
import { useMay } from '../api/rights';
import { ActFacts } from '../shared/act-dialog';
import { actTitle, actWords, decisions } from './act-words';
import { CsvLink } from '../shared/csv-link';
import { OutageGrace } from '../alerts/outage-grace';
import { ReasonDialog } from '../shared/reason-dialog';
import { actStates, actTones } from '../customers/request-words';
import { DecisionButton, SecondPerson } from './second-person';
import { When } from '../shared/when';

interface Deciding {
  of: StaffAct;
  what: Decision;
}

interface ActProps {
  of: StaffAct;
  me: { id: string; role: string } | undefined;
  now: number;
  onDecide: (what: Decision) => void;
}

/** The decisions that the user may take on an act. Any member of support may stop a scheduled act. */
function offeredFor({ state }: StaffAct, isMine: boolean, role: string | undefined): Decision[] {
  if (state === 'scheduled') return role === 'admin' || role === 'support' ? ['stop'] : [];
  if (state !== 'waiting') return [];
  if (isMine) return ['withdraw'];
  return role === 'admin' ? ['approve', 'decline'] : [];
}

function Act({ of, me, now, onDecide }: ActProps) {
  const isMine = of.requested_by === me?.id;
  const offered = offeredFor(of, isMine, me?.role);
  return (
    <li>
      <div className="contact-head">
        <h3>{actWords[of.kind].title}</h3> <Badge tone={actTones[of.state]}>{actStates[of.state]}</Badge>
      </div>
      {of.customer_id && (
        <p>
          <Link to={`/support/customers/${of.customer_id}`}>{of.customer_name || 'The customer'}</Link>
        </p>
      )}
      <ActFacts facts={of.facts} />
      <p>
        Asked for by {of.requested_by_name}, <When at={of.requested_at} now={now} />: {of.reason}
      </p>
      {of.decided_at && (
        <p>
          Decided by {of.decided_by_name}, <When at={of.decided_at} now={now} />: {of.decision_reason}
        </p>
      )}
      {of.state === 'withdrawn' && <p>Withdrawn: {of.decision_reason}</p>}
      {of.outcome && <p className={of.state === 'failed' ? 'console-error' : undefined}>{of.outcome}</p>}
      {offered.length > 0 && (
        <div className="entry-acts">
          <SecondPerson askedBy={of.state === 'waiting' && !isMine ? of.requested_by : undefined}>
            {offered.map((what) => (
              <DecisionButton
                key={what}
                size="sm"
                variant={what === 'approve' ? 'primary' : 'outline'}
                onClick={() => onDecide(what)}
              >
                {decisions[what].label}
                <span className="visually-hidden"> {actTitle(of)}</span>
              </DecisionButton>
            ))}
          </SecondPerson>
        </div>
      )}
    </li>
  );
}

function DecideAct({ of, what, onClose }: Deciding & { onClose: () => void }) {
  const { label, effect, usual } = decisions[what];
  return (
    <ReasonDialog
      title={`${label}? ${actTitle(of)}`}
      effect={
        <>
          <ActFacts facts={of.facts} />
          <p>{effect}</p>
        </>
      }
      label={label}
      suggestions={usual}
      act={(reason) => decideAct(of.id, what, reason)}
      onClose={onClose}
    />
  );
}

/** The acts on customers that take a second person, newest first. */
export function ActsList({ state }: { state: StaffActState | undefined }) {
  const [deciding, setDeciding] = useState<Deciding>();
  const me = useQuery(meQuery);
  const helps = useMay('help');
  const list = useQuery(actsQuery({ page: 1, ...(state && { state }) }));
  const { data: rows = [], total = 0 } = list.data ?? {};
  return (
    <section aria-labelledby="acts">
      <div className="console-bar">
        <h2 id="acts">Acts for customers</h2>
        {helps && <OutageGrace />}
        {list.data && <CsvLink list="acts" filter={{ state }} of="acts for customers" />}
      </div>
      <ListPage
        untitled
        title="Acts for customers"
        query={listOf(list, ({ data }) => ({ data }))}
        what="the acts"
        lines={4}
        emptyTitle="No acts here"
        empty="Short payments, cancelled plans and lost authenticators that staff ask for on a customer’s page arrive here."
        rowKey={(one) => one.id}
        card={(one) => (
          <Act of={one} me={me.data} now={list.dataUpdatedAt} onDecide={(what) => setDeciding({ of: one, what })} />
        )}
      />
      {total > rows.length && (
        <p className="console-hint">The newest {rows.length} are shown. Choose a state to see others.</p>
      )}
      {deciding && <DecideAct {...deciding} onClose={() => setDeciding(undefined)} />}
    </section>
  );
}
