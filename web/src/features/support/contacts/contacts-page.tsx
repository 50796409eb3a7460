import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { ListPage } from '@/ui/list/list-page';
import { type Column } from '@/ui/list/list-table';
import { anyText, oneOf, onlyTrue, useListState } from '@/ui/list/use-list-state';
import { Badge } from '@/ui/notice';
import { contactCountsQuery, contactsQuery, type Contact, type ContactCounts } from '../api/contacts';
import { useMay } from '../api/rights';
import { Due } from './contact-due';
import { channels, states, steps, tones, topicKinds, topics } from './contact-words';
import { Lookers, useLookers } from '../shell/presence';
import { SavedViews } from '../shell/saved-views';
import { When } from '../shared/when';
import '../customers/support-customers.scss';

const owners = { me: 'Me', nobody: 'Nobody' };
const pathOf = ({ id }: Contact) => `/support/contacts/${id}`;
const counted = (count: number | undefined) => (count === undefined ? '' : ` (${count.toLocaleString('en-IN')})`);

interface Seen {
  now: number;
  counts: ContactCounts | undefined;
  lookersAt: (link: string) => string;
}

const columnsOf = ({ now, counts, lookersAt }: Seen): Column<Contact>[] => [
  {
    label: 'Who',
    cell: (one) => (
      <>
        <Link to={pathOf(one)}>{one.name}</Link> {one.priority && <Badge tone="gold">Priority support</Badge>}
        {one.customer_id && (
          <>
            <br />
            {one.proved ? 'Customer' : 'Perhaps the customer'}:{' '}
            <Link to={`/support/customers/${one.customer_id}`}>{one.customer}</Link>
          </>
        )}
        <Lookers who={lookersAt(pathOf(one))} />
      </>
    ),
  },
  { label: 'Message', free: true, cell: (one) => one.message },
  {
    label: 'Topic',
    cell: (one) => topics[one.topic],
    filter: { name: 'topic', options: topics },
  },
  {
    label: 'State',
    long: true,
    cell: (one) => (
      <>
        <Badge tone={tones[one.state]}>{states[one.state]}</Badge> <Due contact={one} now={now} />
      </>
    ),
    filter: [
      {
        name: 'state',
        options: Object.fromEntries(steps.map((step) => [step, states[step] + counted(counts?.[step])])),
      },
      { label: 'Due', name: 'overdue', options: { true: `Overdue${counted(counts?.overdue)}` } },
    ],
  },
  {
    label: 'Assigned to',
    cell: (one) => (one.mine ? 'You' : one.owner || 'Nobody'),
    filter: { name: 'owner', options: owners, all: 'Anybody' },
  },
  {
    label: 'Wrote',
    long: true,
    cell: (one) => (
      <>
        <When at={one.wrote_at} now={now} /> <span className="console-hint">{channels[one.channel]}</span>
      </>
    ),
  },
];

/** The queue: open requests by priority and deadline, then the others. */
export function ContactsPage() {
  const ops = useMay('ops');
  const { filter, page, narrowed } = useListState({
    state: oneOf(steps),
    topic: oneOf(topicKinds),
    owner: oneOf(owners),
    overdue: onlyTrue,
    search: anyText,
    customer: anyText,
  });
  const list = useQuery(contactsQuery({ page, ...filter }));
  const counts = useQuery(contactCountsQuery).data;
  const lookersAt = useLookers((list.data?.data ?? []).map(pathOf));
  return (
    <ListPage
      wide
      title="Contact requests"
      query={list}
      what="the requests"
      columns={columnsOf({ now: list.dataUpdatedAt, counts, lookersAt })}
      rowKey={(one) => one.id}
      search={{ label: 'Who' }}
      intro={ops && <SavedViews list="contacts" />}
      empty={
        narrowed
          ? 'No request fits these filters.'
          : 'What people write by the contact form, in their account, by e-mail or by WhatsApp arrives here.'
      }
    />
  );
}
