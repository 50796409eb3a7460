import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { StatusText, type Tone } from '@/ui/notice';
import { dashboardQuery } from '@/domain/payment/api/dashboard';
import { deliveryOf } from '@/content/delivery';
import type { components } from '@/lib/api/schema.gen';
import { formatDate, formatDay } from '@/lib/format';
import { latePart } from '@/start/page/late';
import { deliveryFile } from '../api/deliveries';

const ProvideDialog = latePart(async () => (await import('./provide-dialog')).ProvideDialog);

export type Delivery = components['schemas']['Delivery'];

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

/** The promised day counts from when the customer provided what is needed. */
function waitsFor({ name, needs_act: act }: Delivery): string {
  const days = deliveryOf(name)?.days ?? 0;
  return act || days === 0 ? t`Waits for you` : t`Waits for you. Then ${days} working days`;
}

/** The state of a delivery in words: where it is late or waits, and since or until when. */
export function statusOf(delivery: Delivery): { tone: Tone; text: string } {
  const day = formatDate(delivery.promised_on);
  switch (delivery.state) {
    case 'delivered':
      return { tone: 'success', text: t`Delivered on ${formatDay(delivery.delivered_at ?? '')}` };
    case 'waiting_for_customer':
      return { tone: 'warning', text: waitsFor(delivery) };
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

function PartnersLink() {
  const { data } = useQuery(dashboardQuery);
  if (!data?.tenant) return null;
  return (
    <a
      className="btn btn-outline btn-sm"
      href={new URL('/dashboard/partners', data.tenant.dashboard_url).href}
      target="_blank"
      rel="noreferrer"
    >
      <Trans>
        Invite a partner<span className="visually-hidden"> (new window)</span>
      </Trans>
    </a>
  );
}

/** The way to what the customer has to do, or to send. */
function ProvideAction({ delivery }: { delivery: Delivery }) {
  const [open, setOpen] = useState(false);
  if (delivery.needs_act === 'partner') return <PartnersLink />;
  if (delivery.needs_act === 'domain')
    return (
      <Link className="btn btn-outline btn-sm" to="/dashboard#domain">
        {t`Link a domain`}
      </Link>
    );
  const name = delivery.name;
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)}>
        {delivery.provided ? (
          <Trans>
            Send again <span className="visually-hidden">for {name}</span>
          </Trans>
        ) : (
          <Trans>
            Send it <span className="visually-hidden">for {name}</span>
          </Trans>
        )}
      </Button>
      <ProvideDialog open={open} delivery={delivery} onClose={() => setOpen(false)} />
    </>
  );
}

/** What the customer sent last, so that it can be checked and corrected. */
function Sent({ delivery: { provided } }: { delivery: Delivery }) {
  if (!provided) return null;
  const day = formatDay(provided.at);
  return (
    <p className="text-sm delivery-sent">
      {provided.note ? (
        <Trans>
          You sent on {day}: {provided.note}
        </Trans>
      ) : (
        t`You sent files on ${day}`
      )}
    </p>
  );
}

function Files({ delivery: { id, files } }: { delivery: Delivery }) {
  if (files.length === 0) return null;
  return (
    <ul className="plain-list text-sm" aria-label={t`Files`}>
      {files.map((file) => (
        <li key={file.id}>
          <a href={deliveryFile(id, file.id)} download={file.name}>
            {file.name}
          </a>{' '}
          <span className="text-muted">{file.by_us ? t`from us` : t`from you`}</span>
        </li>
      ))}
    </ul>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const { tone, text } = statusOf(delivery);
  const { needs } = delivery;
  const waits = delivery.state === 'waiting_for_customer';
  const corrects = delivery.provided !== null && (delivery.state === 'planned' || delivery.state === 'in_progress');
  return (
    <li className="delivery-row">
      <div>
        <p className="fw-bold">{delivery.name}</p>
        <p className="text-muted text-sm">{byWhom(delivery)}</p>
        {needs && waits && (
          <p className="text-sm">
            <b>{t`We need from you:`}</b> {needs}
          </p>
        )}
        {delivery.proof && <p className="text-sm">{delivery.proof}</p>}
        {delivery.proof_link && (
          <p className="text-sm">
            <ProofLink name={delivery.name} to={delivery.proof_link} />
          </p>
        )}
        <Sent delivery={delivery} />
        <Files delivery={delivery} />
      </div>
      <div className="delivery-state">
        <StatusText tone={tone}>{text}</StatusText>
        {(waits || corrects) && <ProvideAction delivery={delivery} />}
      </div>
    </li>
  );
}

/** Deliveries, each with its state, its day, what is needed and the proof. */
export function DeliveryRows({ label, rows }: { label: string; rows: readonly Delivery[] }) {
  return (
    <ul className="plain-list delivery-list" aria-label={label}>
      {rows.map((delivery) => (
        <Row key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

/** Deliveries by what is to be done: by the customer, by us, nothing. */
export function sorted(all: readonly Delivery[]) {
  const done = all.filter(({ state }) => state === 'delivered' || state === 'not_applicable');
  const waiting = all.filter(({ state }) => state === 'waiting_for_customer');
  return { done, waiting, open: all.filter((one) => !done.includes(one) && !waiting.includes(one)) };
}
