import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearchParams } from 'react-router';
import { ErrorState, Loading } from '@/components/states';
import { formatDate, formatInstant } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { customerQuery } from '../api/queries';
import type { Customer, TimelineEvent } from '../api/support';

function Facts({ customer: c }: { customer: Customer }) {
  const facts: [string, string][] = [
    ['Mobile', `+91 ${c.mobile}`], ['E-mail', c.email], ['State', c.state], ['Plan', c.plan ? `${c.plan}, ${c.plan_type}` : 'None'],
    ['Next bill', c.next_bill_on ? formatDate(c.next_bill_on) : '-'], ['Last payment', c.payment_state || 'None'], ['Store', c.store_name || 'None'],
    ['Domain', c.domain ? `${c.domain} (${c.domain_state})` : 'None'], ['Address', c.address || 'None'], ['Customer since', formatInstant(c.created_at)],
    ['Last seen', c.last_seen_at ? formatInstant(c.last_seen_at) : 'Never'], ['Authenticator', c.totp_enabled ? 'In use' : 'Not in use'], ['Id', c.id],
  ];
  return (
    <dl className="console-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Entry({ event }: { event: TimelineEvent }) {
  return (
    <li className={`console-event event-${event.type}`}>
      <details>
        <summary>
          <span className="event-type">{event.type}</span>
          <span className="event-title">{event.title}</span>
          <span className="event-status">{event.status}</span>
          <time dateTime={event.at}>{formatInstant(event.at)}</time>
        </summary>
        <p>Reference: <code>{event.reference}</code></p>
        {/* What scrolls must be reached by the keyboard. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre tabIndex={0} aria-label={`Details of ${event.title}`} role="region">{JSON.stringify(event.details, null, 2)}</pre>
      </details>
    </li>
  );
}

/** Everything of one customer: who, how things stand, and one timeline, newest first. */
export function CustomerPage() {
  const { id = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const customer = useQuery(customerQuery(id));
  usePageMeta({ title: 'Customer' });
  if (customer.error) return <ErrorState error={customer.error} onRetry={() => void customer.refetch()} what="the customer" />;
  if (!customer.data) return <Loading what="the customer">{null}</Loading>;
  const c = customer.data;
  const types = [...new Set(c.timeline.map((event) => event.type))].toSorted();
  const type = params.get('type') ?? '';
  const shown = c.timeline.filter((event) => !type || event.type === type);
  return (
    <>
      <h1>{c.name || `+91 ${c.mobile}`}</h1>
      {c.failed_jobs > 0 && (
        <p className="console-error">
          <Link to={`/support/jobs?customer=${c.id}`}>{c.failed_jobs} failed {c.failed_jobs === 1 ? 'job' : 'jobs'}</Link>
        </p>
      )}
      <Facts customer={c} />
      <div className="console-bar">
        <h2>Timeline</h2>
        <label htmlFor="timeline-type">Show</label>
        <select id="timeline-type" className="input" value={type} onChange={(event) => setParams(event.target.value ? { type: event.target.value } : {}, { replace: true })}>
          <option value="">Everything</option>
          {types.map((one) => <option key={one}>{one}</option>)}
        </select>
        <span role="status">{shown.length} {shown.length === 1 ? 'entry' : 'entries'}</span>
      </div>
      <ol className="console-timeline" aria-label="Timeline">
        {shown.map((event) => <Entry key={`${event.type}-${event.reference}-${event.at}-${event.title}`} event={event} />)}
      </ol>
    </>
  );
}
