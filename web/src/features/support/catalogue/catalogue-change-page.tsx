import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { ListTable } from '@/ui/list/list-table';
import { formatInstant } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import {
  beginDraft,
  changeQuery,
  rebaseDraft,
  saveDraft,
  type Catalogue,
  type CatalogueReview,
} from '../api/catalogue';
import { meQuery } from '../api/queries';
import { useMay } from '../api/rights';
import { CatalogueDecision, type CatalogueStep } from './catalogue-decision';
import { CatalogueEditor } from './catalogue-editor';
import { CatalogueEffect } from './catalogue-effect';
import { changeStates } from './catalogue-words';
import { DecisionButton, SecondPerson } from '../staff/second-person';
import { useChange } from '../api/use-change';
import { Refusal } from '../shared/refusal';
import { Missing } from '../shared/missing';
import '../customers/support-customers.scss';
import './catalogue.scss';

function Differences({ of }: { of: CatalogueReview['differences'] }) {
  return (
    <ListTable
      none={<p>It changes nothing yet.</p>}
      wide
      caption="What changes"
      rows={of}
      rowKey={(one) => `${one.place} ${one.field}`}
      columns={[
        { label: 'What', cell: (one) => one.place },
        { label: 'Field', cell: (one) => one.field },
        { label: 'Now', cell: (one) => one.before || 'Nothing' },
        { label: 'Then', cell: (one) => one.after || 'Nothing' },
        { label: 'To look at', cell: (one) => (one.large ? <strong>More than half</strong> : '') },
      ]}
    />
  );
}

function Story({ of }: { of: CatalogueReview }) {
  return (
    <>
      <p>
        {changeStates[of.state]}. Last saved by {of.edited_by_name}, {formatInstant(of.edited_at)}.
      </p>
      {of.effective_from && (
        <p>
          Proposed by {of.proposed_by_name} effective from {formatInstant(of.effective_from)}: {of.reason}
        </p>
      )}
      {of.approved_by_name && (
        <p>
          Approved by {of.approved_by_name}: {of.approval_reason}
        </p>
      )}
      {of.ended_by_name && (
        <p>
          {changeStates[of.state]} by {of.ended_by_name}: {of.end_reason}
        </p>
      )}
      {of.outcome && <Notice tone="danger">{of.outcome}</Notice>}
      {of.problems.length > 0 && (
        <Notice tone="danger">
          Fix first:
          <ul>
            {of.problems.map((one) => (
              <li key={one}>{one}.</li>
            ))}
          </ul>
        </Notice>
      )}
      {of.warnings.length > 0 && (
        <Notice tone="warning">
          To be looked at:
          <ul>
            {of.warnings.map((one) => (
              <li key={one}>{one}.</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

interface DraftProps {
  of: CatalogueReview;
  onStep: (step: CatalogueStep) => void;
}

/** The draft's fields; it is saved as a whole, and proposed as it was saved. */
function Draft({ of, onStep }: DraftProps) {
  const [catalogue, setCatalogue] = useState<Catalogue>(of.catalogue);
  const [changed, setChanged] = useState(false);
  const wrong = useRef(new Set<string>());
  const [problems, setProblems] = useState(0);
  const onProblem = (label: string, problem: boolean) => {
    if (problem) wrong.current.add(label);
    else wrong.current.delete(label);
    setProblems(wrong.current.size);
  };
  const save = useChange(() => saveDraft(of.id, of.edit, catalogue));
  const rebase = useChange(() => rebaseDraft(of.id, of.edit));
  const failed = save.error ?? rebase.error;
  return (
    <section aria-labelledby="catalogue-draft">
      <h2 id="catalogue-draft">Draft</h2>
      <CatalogueEditor
        of={catalogue}
        onProblem={onProblem}
        onChange={(next) => {
          setCatalogue(next);
          setChanged(true);
        }}
      />
      {problems > 0 && (
        <p role="alert" className="console-error">
          Write amounts in rupees, such as 1,500 or 1500.50, and counts as whole numbers, in the {problems} marked field
          {problems > 1 && 's'}.
        </p>
      )}
      <Refusal error={failed} />
      <div className="console-bar">
        {changed && (
          <Button pending={save.isPending} onClick={() => problems === 0 && save.mutate()}>
            Save the draft
          </Button>
        )}
        {of.outdated && !changed && (
          <Button variant="outline" pending={rebase.isPending} onClick={() => rebase.mutate()}>
            Bring up to date
          </Button>
        )}
        {!changed && !of.outdated && of.problems.length === 0 && (
          <Button variant="outline" onClick={() => onStep('propose')}>
            Propose
          </Button>
        )}
        <Button variant="quiet" onClick={() => onStep('withdraw')}>
          Discard the draft
        </Button>
      </div>
    </section>
  );
}

function Steps({ of, own, onStep }: { of: CatalogueReview; own: boolean; onStep: (step: CatalogueStep) => void }) {
  const navigate = useNavigate();
  const again = useChange(() => beginDraft(of.id), { onSuccess: ({ id }) => navigate(`/support/catalogue/${id}`) });
  return (
    <div className="console-bar">
      {of.state === 'proposed' && !own && (
        <SecondPerson askedBy={of.proposed_by}>
          <DecisionButton onClick={() => onStep('approve')}>Approve</DecisionButton>
          <DecisionButton variant="outline" onClick={() => onStep('reject')}>
            Reject
          </DecisionButton>
        </SecondPerson>
      )}
      {of.state === 'proposed' && own && <p>You proposed it, so another admin decides.</p>}
      {(of.state === 'proposed' || of.state === 'approved') && (
        <Button variant="outline" onClick={() => onStep('withdraw')}>
          Withdraw
        </Button>
      )}
      <Button variant="quiet" pending={again.isPending} onClick={() => again.mutate()}>
        New draft from this
      </Button>
    </div>
  );
}

/** A catalogue change: its differences, the affected customers, and the next step. */
export function CatalogueChangePage() {
  usePageMeta({ title: 'Change of the catalogue' });
  const { id = '' } = useParams();
  const me = useQuery(meQuery);
  const shown = useQuery(changeQuery(id));
  const [step, setStep] = useState<CatalogueStep>();
  const admin = useMay('admin');
  const of = shown.data;
  return (
    <>
      <p>
        <Link to="/support/catalogue">Catalogue</Link>
      </p>
      <h1>{of?.version || 'Change of the catalogue'}</h1>
      <Async
        query={shown}
        what="the change"
        lines={8}
        missing={<Missing what="change" to="/support/catalogue" label="Catalogue" />}
      />
      {of && (
        <>
          <Story of={of} />
          {of.outdated && (
            <Notice tone="warning">The catalogue has changed since this was begun. Bring it up to date first.</Notice>
          )}
          {admin && of.state !== 'draft' && <Steps of={of} own={of.proposed_by === me.data?.id} onStep={setStep} />}
          <h2>What changes</h2>
          <Differences of={of.differences} />
          {of.state === 'draft' && admin && <Draft key={of.edit} of={of} onStep={setStep} />}
          {of.problems.length === 0 && (of.state === 'draft' || of.state === 'proposed' || of.state === 'approved') && (
            <CatalogueEffect id={id} edit={of.edit} />
          )}
          {step && <CatalogueDecision of={of} step={step} onClose={() => setStep(undefined)} />}
        </>
      )}
    </>
  );
}
