import { Link } from 'react-router';
import { formatDate } from '@/lib/format';
import type { AuditAction, AuditRecord } from '../api/help';
import { Details } from '../customers/customer-details';
import { actionName } from '../shared/action-words';
import { gatewayName, rupees } from '../customers/customer-words';
import { When } from '../shared/when';

/** Actions recorded automatically, whose reason merely repeats their name. */
const unasked = new Set<AuditAction>([
  'search',
  'open_customer',
  'read_timeline',
  'read_trail',
  'read_mobile',
  'read_list',
  'export_list',
  'export_audit',
  'export_credit_notes',
  'take_gst_return',
]);

function lockedUp({ after }: AuditRecord): string {
  const { locked_through: through } = JSON.parse(after) as { locked_through?: string | null };
  return through ? `locked up to ${formatDate(through)}` : 'nothing is locked';
}

/** The lists' display names. */
const lists: Record<string, string> = {
  reversals: 'requests for money to go back',
  money: 'money that waits',
  contacts: 'contact requests',
  deliveries: 'deliveries',
  audit: 'audit trail',
  acts: 'acts for customers',
  jobs: 'failed jobs',
  transfers: 'proformas',
  'e invoices': 'e-invoices',
  catalogue: 'renewals at other prices',
};
const ofMoney = /^(request|approve|decline)_(refund|credit_note|bank_transfer|release|chargeback)$/;

/** The amount requested or decided on, and the UTR of a bank transfer. */
function moneyOf({ action, after }: AuditRecord): string[] {
  if (!ofMoney.test(action) || !after) return [];
  const { amount_paise: amount, bank_reference: utr } = JSON.parse(after) as {
    amount_paise?: number;
    bank_reference?: string;
  };
  return [amount ? rupees(amount) : '', utr ? `UTR ${utr}` : ''];
}

/** What was acted on, in readable form; empty if the action's name says it all. */
function subjectOf(record: AuditRecord): string {
  const [kind = '', name = ''] = record.target.split(/:(.*)/s);
  if (kind === 'job' || kind === 'queue') return `${kind} ${name}`;
  if (kind === 'jobs') {
    const { jobs } = JSON.parse(record.after) as { jobs?: number };
    return jobs ? `${jobs.toLocaleString('en-IN')} jobs` : 'many jobs';
  }
  if (kind === 'schedule') return name;
  if (kind === 'list') return lists[name] ?? name;
  if (kind === 'mobile') return name;
  if (kind === 'books') return lockedUp(record);
  if (kind !== 'settlements') return record.subject;
  const [gateway = '', day] = name.split('/');
  return day ? `${gatewayName(gateway)}, ${formatDate(day)}` : gatewayName(gateway);
}

/** The reason, in the words of the person who gave it. */
function reasonOf({ action, reason }: AuditRecord): string {
  if (unasked.has(action)) return '';
  return action === 'sign_in' ? reason.replace(/^Signed in /, '') : reason;
}

/** One record; expands to show everything. */
export function AuditRow({ record: r, now }: { record: AuditRecord; now: number }) {
  const reason = reasonOf(r);
  return (
    <li className="entry">
      <details>
        <summary data-entry="">
          <span className="entry-kind">#{r.sequence}</span>
          <span className="entry-title">
            <strong>
              {[actionName(r.action), subjectOf(r), ...moneyOf(r), r.customer_name].filter(Boolean).join(' · ')}
            </strong>
            , {r.staff_name}
            {reason && `: ${reason}`}
          </span>
          <When at={r.at} now={now} />
        </summary>
        <div className="entry-body">
          <Details
            values={{
              target: r.target,
              before: r.before,
              after: r.after,
              request_id: r.request_id,
              previous_hash: r.previous,
              hash: r.hash,
            }}
          />
          {r.target.startsWith('jobs:') && (
            <div className="entry-acts">
              <Link className="btn btn-outline btn-sm" to={`/support/jobs?operation=${r.target.slice(5)}`}>
                What became of them
              </Link>
            </div>
          )}
          {r.customer_id && (
            <div className="entry-acts">
              <Link className="btn btn-outline btn-sm" to={`/support/customers/${r.customer_id}?kind=staff`}>
                The customer
              </Link>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}
