import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { components } from '@/lib/api/schema.gen';
import { formatDate } from '@/lib/format';
import { useSession } from '@/lib/session/session';
import { nextBillQuery } from './api/next-bill';
import { termValueQuery } from './api/term-value';
import './payment.scss';

type Figure = components['schemas']['TermFigure'];

const labels: Record<Figure['name'], () => string> = {
  outlets_opened: () => t`Outlets opened`,
  partners_joined: () => t`Partners who joined`,
  partner_sign_ins: () => t`Logins of partners`,
  domain_days: () => t`Your domain worked`,
  invoices: () => t`Invoices`,
  requests_answered: () => t`Requests we answered`,
  sales_paise: () => t`Sales`,
  points: () => t`Points given`,
  new_customers: () => t`New customers`,
};

function valueText({ name, value, amount, days }: Figure): string {
  const count = value.toLocaleString('en-IN');
  if (name === 'domain_days') return t`${count} of ${plural(days ?? 0, { one: '# day', other: '# days' })}`;
  return amount ?? count;
}

/** Whose figure it is, and for which days, unless the product counted it for the whole term. */
function noteText({ name, of, days, from, until }: Figure): string {
  if (name === 'domain_days') return t`${of ?? ''}, checked since ${formatDate(from)}`;
  if (!of) return '';
  const known = plural(days ?? 0, { one: '# day', other: '# days' });
  return t`As reported by ${of} for ${known}, ${formatDate(from)} to ${formatDate(until)}`;
}

/** What the plan's term brought so far, as far as the product knows it. Fetched and shown only while the plan can be renewed. */
export function TermValue() {
  const id = useId();
  const { eraseOn } = useSession();
  const { data: bill } = useQuery({ ...nextBillQuery, enabled: !eraseOn });
  const { data: term } = useQuery({ ...termValueQuery, enabled: bill?.can_renew === true && !eraseOn });
  if (!bill?.can_renew || eraseOn || !term || term.figures.length === 0) return null;
  return (
    <section className="panel term-value" aria-labelledby={id}>
      <h2 id={id}>{t`Your term in figures`}</h2>
      <p className="text-muted">{t`${formatDate(term.starts_on)} to ${formatDate(term.until)}, as far as we know`}</p>
      <dl>
        {term.figures.map((figure) => (
          <div key={`${figure.name} ${figure.of ?? ''}`}>
            <dt>{labels[figure.name]()}</dt>
            <dd>
              <strong className="tabular">{valueText(figure)}</strong>
              {noteText(figure) && <span className="text-muted text-sm d-block">{noteText(figure)}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
