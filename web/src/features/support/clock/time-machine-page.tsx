import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { Form } from '@/ui/form/form';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Instant } from '@/ui/instant';
import { Button } from '@/ui/button';
import { Badge } from '@/ui/notice';
import { ErrorState } from '@/ui/states';
import { toApiError } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { changesQuery } from '../api/catalogue';
import { customerQuery } from '../api/customers';
import { meQuery } from '../api/queries';
import {
  timeMachineQuery,
  type TimeMachineAnswer,
  type TimeMachineEntry,
  type TimeMachineQuestion,
} from '../api/time-machine';
import { rupees, statusName, toneOf } from '../customers/customer-words';
import { count } from '../shared/count';
import { MissingCustomer } from '../shared/missing';
import { useTimeMachine } from './time-machine-link';
import { byMonth, channelNames, kindNames, nameOfMonth, paysNames, withSpans, type Month } from './time-machine-words';
import './time-machine.scss';

function Entry({ of }: { of: TimeMachineEntry }) {
  return (
    <li>
      <p className="ahead-entry">
        <Instant at={of.at} /> <strong>{of.title}</strong>
        {of.kind === 'state' && <Badge tone={toneOf(of.status)}>{statusName(of.status)}</Badge>}
        {of.channel && of.title !== channelNames[of.channel] && <span>{channelNames[of.channel]}</span>}
        {of.amount_paise !== null && <span>{rupees(of.amount_paise)}</span>}
        {of.kind === 'document' && <span>{of.reference}</span>}
        {!of.channel && of.text && <span>{of.text}</span>}
      </p>
      {of.channel && of.text && (
        <details>
          <summary>What it says</summary>
          <pre>{of.text.trim()}</pre>
        </details>
      )}
    </li>
  );
}

const ofKind = (month: Month, kind: string) => month.entries.filter((one) => !kind || one.kind === kind);

/** One month, or several in a row in which nothing happens. */
function Section({ of, kind }: { of: Month[]; kind: string }) {
  const first = of[0]!;
  const last = of.at(-1)!;
  const name = first === last ? nameOfMonth(first.month) : `${nameOfMonth(first.month)} to ${nameOfMonth(last.month)}`;
  const shown = ofKind(first, kind);
  const billed = of.reduce((sum, month) => sum + month.billed, 0);
  return (
    <section className="ahead-month" aria-label={name}>
      <h3>{name}</h3>
      <p>
        Invoiced: {rupees(billed)}.{last.state && ` Plan at the end: ${statusName(last.state)}.`}
      </p>
      {shown.length === 0 ? (
        <p>Nothing happens.</p>
      ) : (
        <ol className="ahead-entries">
          {shown.map((one, i) => (
            <Entry key={i} of={one} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Result({ of }: { of: TimeMachineAnswer }) {
  const [at, setAt] = useState(0);
  const [kind, setKind] = useState('');
  const months = byMonth(of.from, of.until, of.entries);
  const name = at === 0 ? 'All months' : nameOfMonth(months[at - 1]!.month);
  return (
    <section aria-labelledby="ahead-result">
      <h2 id="ahead-result">What would follow</h2>
      <div className="ahead-form">
        <TextField
          label={`Month shown: ${name}`}
          type="range"
          min={0}
          max={months.length}
          value={String(at)}
          aria-valuetext={name}
          onChange={(month) => setAt(Number(month))}
        />
        <NativeSelectField
          label="Kind"
          empty="Everything"
          options={Object.entries(kindNames)}
          value={kind}
          onChange={setKind}
        />
      </div>
      {withSpans(at === 0 ? months : [months[at - 1]!], (month) => ofKind(month, kind).length > 0).map((span) => (
        <Section key={span[0]!.month} of={span} kind={kind} />
      ))}
    </section>
  );
}

function Question({ onAsk, busy }: { onAsk: (question: TimeMachineQuestion) => void; busy: boolean }) {
  const { data } = useQuery(changesQuery(1));
  const open = (data?.data ?? []).filter((one) => one.state === 'draft' || one.state === 'proposed');
  const form = useAppForm({
    defaultValues: { months: '13', pays: 'on_time', change_id: '' },
    onSubmit: ({ months, pays, change_id: change }: { months: string; pays: string; change_id: string }) => {
      const question = { months: Number(months), pays: pays as TimeMachineQuestion['pays'] };
      if (!busy) onAsk({ ...question, ...(change && { change_id: change }) });
    },
  });
  const months = form.methods.watch('months');
  const ahead = count(Number(months), 'month');
  return (
    <Form form={form} className="ahead-form" summary={false}>
      <TextField name="months" label={`Look ahead: ${ahead}`} type="range" min={1} max={24} aria-valuetext={ahead} />
      <NativeSelectField name="pays" label="The customer" options={Object.entries(paysNames)} />
      <NativeSelectField
        name="change_id"
        label="Prices"
        empty="As sold, and as approved"
        options={open.map((one) => [
          one.id,
          `${one.state === 'draft' ? 'Draft' : 'Proposal'} by ${one.edited_by_name}, ${one.version}`,
        ])}
      />
      <Button type="submit" pending={busy}>
        Look ahead
      </Button>
    </Form>
  );
}

/** Every message, charge, document and state that would follow for a customer, from a copy that is thrown away. */
export function TimeMachinePage() {
  usePageMeta({ title: 'Time machine' });
  const { id = '' } = useParams();
  const me = useQuery(meQuery);
  const customer = useQuery(customerQuery(id));
  const on = useTimeMachine();
  const [asked, setAsked] = useState<{ question: TimeMachineQuestion; run: number }>();
  const shown = useQuery(timeMachineQuery(id, asked));
  const answer = shown.error ? undefined : shown.data;
  const runs = asked !== undefined && !shown.error && answer?.state !== 'done';
  if (toApiError(customer.error).status === 404) return <MissingCustomer />;
  return (
    <>
      <p>
        <Link to={`/support/customers/${id}`}>Back to the customer</Link>
      </p>
      <h1>Time machine</h1>
      <p>
        A copy of this customer is run through the coming months. Nothing of the customer changes, nothing is sent, and
        the copy is thrown away.
      </p>
      {me.data && !on && (
        <p>The time machine is for support and admins, in development and staging. It is not set up here for you.</p>
      )}
      {on && (
        <Question busy={runs} onAsk={(question) => setAsked((before) => ({ question, run: (before?.run ?? 0) + 1 }))} />
      )}
      <div role="status">
        {runs && answer?.state === 'waiting' && <p>Waiting for other runs to finish.</p>}
        {runs && answer?.state !== 'waiting' && (
          <p>
            {answer && answer.all_days > 0 ? `Day ${answer.days} of ${answer.all_days}.` : 'The copy is being made.'}
          </p>
        )}
        {answer?.state === 'done' && <p>{count(answer.entries.length, 'entry', 'entries')}.</p>}
      </div>
      {shown.error && <ErrorState error={shown.error} onRetry={() => void shown.refetch()} what="the coming months" />}
      {answer?.state === 'done' && <Result key={asked?.run} of={answer} />}
    </>
  );
}
