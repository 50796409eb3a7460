import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { Badge } from '@/ui/notice';
import { Async } from '@/ui/states';
import { usePageMeta } from '@/lib/page-meta';
import { trailQuery, type Trail } from '../api/help';
import { Facts } from '../shared/facts';
import { gatewayName, rupees, statusName, toneOf } from '../customers/customer-words';
import { Lines } from '../books/settlements-tables';
import { TrailActs } from './trail-acts';
import { Captures } from './trail-captures';
import { Bought, Disputes, Documents, Events, Journals, Refunds, Requests } from './trail-parts';
import { why } from './trail-why';
import { When } from '../shared/when';
import { Missing } from '../shared/missing';
import '../customers/support-customers.scss';

function Section({
  title,
  id,
  count,
  none,
  children,
}: {
  title: string;
  id: string;
  count: number;
  none: string;
  children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="trail-section">
      <h2 id={id}>{title}</h2>
      {count === 0 ? <p className="console-hint">{none}</p> : children}
    </section>
  );
}

/** The total captured; the parts are listed below. */
function came({ captures, deducted_paise: deducted }: Trail): string {
  if (captures.length === 0) return 'Nothing';
  const all = rupees(captures.reduce((sum, one) => sum + one.amount_paise, 0) - deducted);
  return captures.length > 1 ? `${all} in ${captures.length} captures` : all;
}

/** The bank's reference for the transfer, as reported by the gateway. */
function bankReference({ events }: Trail): string {
  const names = ['bank_ref_num', 'bank_ref_no', 'rrn'];
  return (
    events
      .filter((one) => one.signed && one.kind === 'payment')
      .flatMap(({ fields }) => names.map((name) => fields[name] ?? ''))
      .findLast((value) => value !== '') ?? ''
  );
}

function PaymentFacts({ trail, now }: { trail: Trail; now: number }) {
  const { payment: p, documents } = trail;
  const invoice = documents.find((one) => one.kind === 'invoice');
  const bank = bankReference(trail);
  const reason = why(trail);
  return (
    <section aria-label="The payment" className="customer-facts trail-facts">
      <section>
        <Facts
          of={[
            ['Due', rupees(p.amount_paise)],
            ['Came', came(trail)],
            trail.deducted_paise > 0 && ['Deducted as TDS', rupees(trail.deducted_paise)],
            trail.owed_paise > 0 && ['Owed after a failed refund', rupees(trail.owed_paise)],
            p.captured_paise > 0 && ['Left to give back', rupees(trail.left_paise)],
            ['Lies at the gateway', rupees(trail.clearing_paise)],
            reason && ['Why', reason],
          ]}
        />
      </section>
      <section>
        <Facts
          of={[
            ['Gateway', `${gatewayName(p.gateway)}${p.paid_by && `, by ${p.paid_by}`}`],
            ['Its payment id', p.gateway_payment_id || 'None', { copy: p.gateway_payment_id }],
            ['Bank reference', bank || 'None', { copy: bank }],
            ['Invoice', invoice?.number ?? 'None'],
          ]}
        />
      </section>
      <section>
        <Facts
          of={[
            ['Begun', <When at={p.created_at} now={now} />],
            p.decided_at && ['Decided', <When at={p.decided_at} now={now} />],
            p.next_check_at && ['Asked next', <When at={p.next_check_at} now={now} />],
          ]}
        />
      </section>
    </section>
  );
}

function Loaded({ trail, now }: { trail: Trail; now: number }) {
  const { payment: p, order } = trail;
  return (
    <>
      <div className="customer-head">
        <div className="customer-name">
          <h1>{p.transaction_id}</h1> <Badge tone={toneOf(p.state)}>{statusName(p.state)}</Badge>
        </div>
        <div className="customer-acts">
          <TrailActs trail={trail} />
          <Link className="btn btn-outline btn-sm" to={`/support/customers/${p.customer_id}?entry=payment.${p.id}`}>
            The customer
          </Link>
        </div>
      </div>
      <PaymentFacts trail={trail} now={now} />
      <Section title="What was bought" id="trail-order" count={1} none="">
        <Bought order={order} paid={p.amount_paise} />
      </Section>
      {trail.captures.length > 1 && (
        <Section title="Captures" id="trail-captures" count={1} none="">
          <Captures of={trail.captures} />
        </Section>
      )}
      <Section
        title="What was reported"
        id="trail-events"
        count={trail.events.length}
        none="Nothing was reported about it."
      >
        <Events of={trail.events} now={now} />
      </Section>
      <Section title="Documents" id="trail-documents" count={trail.documents.length} none="It has no document.">
        <Documents of={trail.documents} payment={p} now={now} />
      </Section>
      <Section
        title="Requests of staff"
        id="trail-requests"
        count={trail.requests.length}
        none="Nobody asked for a refund."
      >
        <Requests of={trail.requests} now={now} />
      </Section>
      <Section title="Refunds" id="trail-refunds" count={trail.refunds.length} none="Nothing went back.">
        <Refunds
          of={trail.refunds}
          many={trail.captures.length > 1}
          released={trail.requests.some(({ kind }) => kind === 'release')}
          now={now}
        />
      </Section>
      <Section title="Disputes" id="trail-disputes" count={trail.disputes.length} none="It was not disputed.">
        <Disputes of={trail.disputes} requests={trail.requests} payment={p} now={now} />
      </Section>
      <Section
        title="Settlement"
        id="trail-settlement"
        count={trail.settlements.length}
        none="The gateway has not settled any of it."
      >
        <Lines of={trail.settlements} caption="Lines of settlements" dated />
      </Section>
      <Section title="Books" id="trail-books" count={trail.journals.length} none="There is nothing in the books.">
        <Journals of={trail.journals} now={now} />
      </Section>
    </>
  );
}

/** One payment, from the order to the bank transfer. */
export function TrailPage() {
  const { payment = '' } = useParams();
  usePageMeta({ title: payment });
  const trail = useQuery(trailQuery(payment));
  return (
    <Async
      query={trail}
      what="the payment"
      lines={8}
      missing={<Missing what="payment" to="/support/search" label="Search" />}
    >
      {(data) => <Loaded trail={data} now={trail.dataUpdatedAt} />}
    </Async>
  );
}
