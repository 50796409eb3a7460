import { Link } from 'react-router';
import type { Column } from '@/ui/list/list-table';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { StatusText } from '@/ui/notice';
import type { FailedJob, JobSummary } from '../api/jobs';
import { ago, errorWords, jobName } from '../customers/customer-words';
import type { Selection } from '../shared/use-selection';
import { When } from '../shared/when';
import { spans, states, stateTones, stateWords } from './jobs-filter';

const HEAD = 80;
const TAIL = 40;

/** An error message; a long one is truncated in the middle, because its start and its end say the most. */
function ErrorText({ error }: { error: string }) {
  const words = errorWords(error);
  if (words.length <= HEAD + TAIL) return words || 'No error kept';
  return (
    <span title={error}>
      {words.slice(0, HEAD)} … {words.slice(-TAIL)}
    </span>
  );
}

function State({ job, now }: { job: FailedJob; now: number }) {
  const waits = (job.state === 'retryable' || job.state === 'scheduled') && Date.parse(job.scheduled_at) > now;
  return (
    <StatusText tone={stateTones[job.state] ?? 'info'}>
      {stateWords[job.state] ?? job.state}
      {waits && `, ${ago(job.scheduled_at, now)}`}
    </StatusText>
  );
}

function Customer({ job }: { job: FailedJob }) {
  if (job.customer_id)
    return (
      <Link to={`/support/customers/${job.customer_id}`}>
        {job.customer_name || 'Customer'}
        <span className="visually-hidden"> of job {job.id}</span>
      </Link>
    );
  if (job.sign_up) return `Unfinished sign-up of ${job.sign_up}`;
  return <span className="visually-hidden">Nobody's</span>;
}

/** The kinds or queues of the failed jobs and how many each has; the chosen one is there even if it has none. */
function totals(
  facets: JobSummary['facets'],
  by: 'kind' | 'queue',
  chosen: string | undefined,
): [value: string, name: string][] {
  const nameOf = by === 'kind' ? jobName : String;
  const counts = new Map<string, number>();
  for (const facet of facets) counts.set(facet[by], (counts.get(facet[by]) ?? 0) + facet.count);
  const counted = [...counts].map(([value, n]): [string, string] => [value, `${nameOf(value)} (${n})`]);
  return !chosen || counts.has(chosen) ? counted : [[chosen, nameOf(chosen)], ...counted];
}

export interface JobColumnsOptions {
  params: URLSearchParams;
  summary: JobSummary | undefined;
  selection: Selection;
  now: number;
  onOpen: (id: number) => void;
}

/** The columns of the failed jobs, with their filters. */
export function jobColumns({ params, summary, selection, now, onOpen }: JobColumnsOptions): Column<FailedJob>[] {
  const { chosen, all, toggle } = selection;
  const facets = summary?.facets ?? [];
  const at = (name: string) => params.get(name) ?? undefined;
  return [
    {
      label: 'Choose',
      cell: ({ id }) => (
        <CheckboxField
          box=""
          label={`Choose job ${id}`}
          hideLabel
          checked={all || chosen.has(id)}
          onChange={() => toggle(id)}
        />
      ),
    },
    {
      label: 'Job',
      head: true,
      cell: ({ id, kind }) => (
        <button type="button" className="btn-text" onClick={() => onOpen(id)}>
          {jobName(kind)} <span className="console-hint">#{id}</span>
        </button>
      ),
      filter: [
        { name: 'kind', label: 'Kind', all: 'Every kind', options: totals(facets, 'kind', at('kind')) },
        { name: 'queue', label: 'Queue', all: 'Every queue', options: totals(facets, 'queue', at('queue')) },
      ],
    },
    {
      label: 'State',
      cell: (job) => <State job={job} now={now} />,
      filter: {
        name: 'state',
        all: 'All failed',
        options: states.map((state) => [state, stateWords[state] ?? state] as const),
      },
    },
    { label: 'Attempts', cell: (job) => `${job.attempt}/${job.max_attempts}` },
    { label: 'Error', long: true, className: 'console-free', cell: (job) => <ErrorText error={job.last_error} /> },
    {
      label: 'Failed',
      cell: (job) => <When at={job.failed_at} now={now} />,
      filter: {
        name: 'since',
        label: 'Time',
        all: at('from') ? 'As marked in the chart' : 'Any time',
        options: Object.entries(spans).map(([name, [label]]) => [name, label] as const),
        replaces: ['from', 'to'],
      },
    },
    { label: 'Customer', long: true, cell: (job) => <Customer job={job} /> },
  ];
}
