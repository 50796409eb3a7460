import { memo } from 'react';
import { Link } from 'react-router';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { StatusText, type Tone } from '@/ui/notice';
import type { FailedJob } from '../api/jobs';
import { ago, errorWords, jobName } from '../customers/customer-words';
import { stateWords } from './jobs-filter';
import { When } from '../shared/when';

export interface JobRowProps {
  job: FailedJob;
  index: number;
  now: number;
  active: boolean;
  chosen: boolean;
  onFocus: (index: number) => void;
  onToggle: (id: number) => void;
  onOpen: (id: number) => void;
}

export const stateTones: Record<string, Tone> = { discarded: 'danger', retryable: 'warning', completed: 'success' };

const TAIL = 40;

/** An error message; a long one is truncated in the middle, because its start and its end say the most. */
function ErrorText({ error }: { error: string }) {
  const words = errorWords(error);
  if (!words) return 'No error kept';
  if (words.length <= 2 * TAIL) return words;
  return (
    <span className="job-error-ends">
      <span>{words.slice(0, -TAIL)}</span>
      <span>{words.slice(-TAIL)}</span>
    </span>
  );
}

/** One failed job, a line on a wide screen and three on a phone. */
export const JobRow = memo(function JobRow({
  job,
  index,
  now,
  active,
  chosen,
  onFocus,
  onToggle,
  onOpen,
}: JobRowProps) {
  const next =
    (job.state === 'retryable' || job.state === 'scheduled') && Date.parse(job.scheduled_at) > now
      ? ago(job.scheduled_at, now)
      : '';
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      className={chosen ? 'job-chosen' : undefined}
      tabIndex={active ? 0 : -1}
      onFocus={() => onFocus(index)}
    >
      <td className="job-pick">
        <CheckboxField
          box=""
          label={`Choose job ${job.id}`}
          hideLabel
          tabIndex={active ? 0 : -1}
          checked={chosen}
          onChange={() => onToggle(job.id)}
        />
      </td>
      <td className="job-name">
        <button type="button" className="btn-text" tabIndex={active ? 0 : -1} onClick={() => onOpen(job.id)}>
          {jobName(job.kind)} <span>#{job.id}</span>
        </button>
      </td>
      <td className="job-state">
        <StatusText tone={stateTones[job.state] ?? 'info'}>
          {stateWords[job.state] ?? job.state}
          {next && `, ${next}`}
        </StatusText>
      </td>
      <td className="job-attempts">
        <span className="visually-hidden">Attempts </span>
        {job.attempt}/{job.max_attempts}
      </td>
      <td className="job-error" title={job.last_error}>
        <ErrorText error={job.last_error} />
      </td>
      <td className="job-when">
        <When at={job.failed_at} now={now} />
      </td>
      <td className="job-who">
        {job.customer_id ? (
          <Link to={`/support/customers/${job.customer_id}`} tabIndex={active ? 0 : -1}>
            {job.customer_name || 'Customer'}
            <span className="visually-hidden"> of job {job.id}</span>
          </Link>
        ) : job.sign_up ? (
          <span>Unfinished sign-up of {job.sign_up}</span>
        ) : (
          <span className="visually-hidden">Nobody's</span>
        )}
      </td>
    </tr>
  );
});
