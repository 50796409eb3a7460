import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Loaded } from '@/components/loaded';
import { StatusText, type Tone } from '@/components/notice';
import { catalogueWord, needWord } from '@/content/catalogue-words';
import type { components } from '@/lib/api/schema.gen';
import { formatDate, formatDay } from '@/lib/format';
import { deliveriesQuery } from '../api/deliveries';
import { Card } from './card';

type Delivery = components['schemas']['Delivery'];

function byWhom({ delivered_by: by, responsible }: Delivery): string {
  if (responsible) return t`By ${responsible}`;
  switch (by) {
    case 'product':
      return t`In this account`;
    case 'connected':
      return t`By a connected system`;
    case 'staff':
      return t`By our staff`;
  }
}

function statusOf(delivery: Delivery): { tone: Tone; text: string } {
  const day = formatDate(delivery.promised_on);
  switch (delivery.state) {
    case 'delivered':
      return { tone: 'success', text: t`Delivered on ${formatDay(delivery.delivered_at ?? '')}` };
    case 'waiting_for_customer':
      return { tone: 'warning', text: t`Waits for you` };
    case 'not_applicable':
      return { tone: 'info', text: t`Does not apply to you` };
    case 'ended':
      return { tone: 'info', text: t`Ended` };
    default:
      if (delivery.late) return { tone: 'danger', text: t`Late: promised for ${day}` };
      return {
        tone: 'info',
        text: delivery.state === 'planned' ? t`Planned until ${day}` : t`In progress until ${day}`,
      };
  }
}

function ProofLink({ name, to }: { name: string; to: string }) {
  const what = <span className="visually-hidden">{name}</span>;
  if (to.startsWith('/'))
    return (
      <Link to={to}>
        <Trans>Open {what}</Trans>
      </Link>
    );
  return (
    <a href={to} target="_blank" rel="noreferrer">
      <Trans>
        See the proof {what} <span className="visually-hidden">(new window)</span>
      </Trans>
    </a>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const { tone, text } = statusOf(delivery);
  const { needs } = delivery;
  return (
    <li className="delivery-row">
      <div>
        <p className="fw-bold">{catalogueWord(delivery.name)}</p>
        <p className="text-muted text-sm">{byWhom(delivery)}</p>
        {needs && (
          <p className="text-sm">
            <b>{t`We need from you:`}</b> {needWord(needs) ?? needs}
          </p>
        )}
        {delivery.proof && <p className="text-sm">{delivery.proof}</p>}
        {delivery.proof_link && (
          <p className="text-sm">
            <ProofLink name={catalogueWord(delivery.name)} to={delivery.proof_link} />
          </p>
        )}
      </div>
      <StatusText tone={tone}>{text}</StatusText>
    </li>
  );
}

function Rows({ label, rows }: { label: string; rows: readonly Delivery[] }) {
  return (
    <ul className="plain-list delivery-list" aria-label={label}>
      {rows.map((delivery) => (
        <Row key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

/** Every bought feature and add-on: who delivers it, until when, what is needed for it, and the proof. */
export function DeliveriesCard() {
  const deliveries = useQuery(deliveriesQuery);
  return (
    <Card title={t`What you get`}>
      <Loaded query={deliveries} what={t`what you get`} lines={8}>
        {(all) => {
          const done = all.filter(({ state }) => state === 'delivered' || state === 'not_applicable');
          const open = all.filter((delivery) => !done.includes(delivery));
          if (all.length === 0)
            return <p className="text-muted">{t`Everything that you buy is listed here with its date.`}</p>;
          return (
            <>
              {open.length === 0 ? (
                <p>{t`Everything is delivered.`}</p>
              ) : (
                <>
                  <p className="text-muted text-sm">
                    <Trans>
                      To send us what we need, or to ask about a date, <Link to="/contact">contact us</Link>.
                    </Trans>
                  </p>
                  <Rows label={t`Still to be delivered`} rows={open} />
                </>
              )}
              {done.length > 0 && (
                <details>
                  <summary>{t`Delivered: ${done.length}`}</summary>
                  <Rows label={t`Delivered`} rows={done} />
                </details>
              )}
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}
