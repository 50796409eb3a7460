import BankIcon from 'bootstrap-icons/icons/bank.svg?component';
import TeamIcon from 'bootstrap-icons/icons/person-badge.svg?component';
import CatalogueIcon from 'bootstrap-icons/icons/tags.svg?component';
import ChatIcon from 'bootstrap-icons/icons/chat-left-text.svg?component';
import CustomersIcon from 'bootstrap-icons/icons/people.svg?component';
import DocumentsIcon from 'bootstrap-icons/icons/file-earmark-text.svg?component';
import FiguresIcon from 'bootstrap-icons/icons/graph-up.svg?component';
import HomeIcon from 'bootstrap-icons/icons/house.svg?component';
import JobsIcon from 'bootstrap-icons/icons/arrow-repeat.svg?component';
import PaymentsIcon from 'bootstrap-icons/icons/credit-card.svg?component';
import SystemIcon from 'bootstrap-icons/icons/cpu.svg?component';
import type { ComponentType, SVGProps } from 'react';
import { may, type Right, type Role } from '../api/rights';
import type { WorkGroup } from '../api/watch';

/** A page of the console. */
export interface Place {
  to: string;
  label: string;
  right?: Right;
  /** The key that opens the page after "g". */
  go?: string;
  /** Other words by which the palette finds the page. */
  words?: string;
}

/** A group of pages with one entry in the rail. */
export interface Desk {
  label: string;
  icon: ComponentType<SVGProps<SVGSVGElement>>;
  places: Place[];
  /** The kinds of open work that the entry counts. */
  kinds?: string[];
}

export const desks: Desk[] = [
  { label: 'Home', icon: HomeIcon, places: [{ to: '/support', label: 'Home', go: 'h', words: 'work start' }] },
  {
    label: 'Customers',
    icon: CustomersIcon,
    kinds: ['own_delivery', 'late_delivery', 'provided_delivery', 'unanswered_delivery'],
    places: [
      { to: '/support/customers', label: 'Customers', go: 'c', words: 'list people accounts' },
      { to: '/support/deliveries', label: 'Deliveries', words: 'promised late' },
      { to: '/support/announcements', label: 'Announcements', right: 'ops', words: 'banner message everybody' },
    ],
  },
  {
    label: 'Conversations',
    icon: ChatIcon,
    kinds: ['own_request', 'late_request', 'unassigned_request'],
    places: [
      { to: '/support/contacts', label: 'Contact requests', go: 'r', words: 'conversations inbox tickets questions' },
      { to: '/support/contact-macros', label: 'Saved replies', right: 'ops', words: 'macros templates replies' },
    ],
  },
  {
    label: 'Payments',
    icon: PaymentsIcon,
    kinds: [
      'held_payment',
      'undecided_payment',
      'refund_approval',
      'failed_refund',
      'dispute',
      'unconfirmed_dispute',
      'act_approval',
      'mandate_stop',
      'unheard_debit',
    ],
    places: [
      { to: '/support/money', label: 'Money', go: 'p', words: 'payments held refunds disputes chargeback' },
      { to: '/support/approvals', label: 'Approvals', go: 'a', words: 'second person approve decline waiting' },
    ],
  },
  {
    label: 'Jobs',
    icon: JobsIcon,
    places: [
      { to: '/support/jobs', label: 'Failed jobs', right: 'ops', go: 'j', words: 'rerun retry errors' },
      { to: '/support/queues', label: 'Queues', right: 'ops', go: 'q', words: 'pause schedules workers' },
    ],
  },
  {
    label: 'Documents and returns',
    icon: DocumentsIcon,
    kinds: ['e_invoice', 'document_without_file'],
    places: [
      { to: '/support/credit-notes', label: 'Credit notes', go: 'd', words: 'documents input tax' },
      { to: '/support/e-invoices', label: 'E-invoices', words: 'irn registration portal irp' },
      { to: '/support/gst-returns', label: 'GST returns', right: 'books', go: 't', words: 'gstr-1 gstr1 tax filing' },
      { to: '/support/tds', label: 'TDS', words: 'deducted tax certificate' },
    ],
  },
  {
    label: 'Bank and settlements',
    icon: BankIcon,
    kinds: ['settlement_difference', 'bank_credit', 'bank_use', 'late_tds'],
    places: [
      { to: '/support/transfers', label: 'Bank transfers', go: 'b', words: 'statement credits proforma utr neft' },
      { to: '/support/settlements', label: 'Settlements', words: 'gateway payout differences' },
      { to: '/support/invariants', label: 'Books check', words: 'ledger invariants' },
      { to: '/support/accounts', label: 'Accounts', right: 'books', words: 'trial balance profit loss lock tally' },
    ],
  },
  {
    label: 'Catalogue',
    icon: CatalogueIcon,
    kinds: ['catalogue_change'],
    places: [{ to: '/support/catalogue', label: 'Catalogue', words: 'plans prices add-ons' }],
  },
  {
    label: 'Figures',
    icon: FiguresIcon,
    places: [{ to: '/support/figures', label: 'Figures', right: 'books', go: 'f', words: 'charts revenue mrr churn' }],
  },
  {
    label: 'Team',
    icon: TeamIcon,
    places: [
      { to: '/support/audit', label: 'Audit', right: 'ops', go: 'u', words: 'trail log history who' },
      { to: '/support/staff', label: 'Staff', right: 'office', words: 'team invite roles colleagues' },
    ],
  },
  {
    label: 'System',
    icon: SystemIcon,
    kinds: ['failing_dependency'],
    places: [
      { to: '/support/alerts', label: 'Alerts', right: 'ops', go: 's', words: 'incidents alarms runbooks system' },
      { to: '/support/connected', label: 'Connected systems', right: 'ops', words: 'webhooks api keys' },
    ],
  },
];

/** Pages that belong to the place of another one. */
const below: Record<string, string> = {
  '/support/payments': '/support/money',
  '/support/mobiles': '/support/customers',
  '/support/search': '/support/customers',
  '/support/runbooks': '/support/alerts',
};

const deliveryPage = /^\/support\/customers\/[^/]+\/deliveries\//;

/** Whether the page is the place or below it. */
export function isAt(pathname: string, { to }: Place): boolean {
  if (deliveryPage.test(pathname)) return to === '/support/deliveries';
  const home = Object.keys(below).find((path) => pathname.startsWith(`${path}/`) || pathname === path);
  if (home) return below[home] === to;
  return pathname === to || (to !== '/support' && pathname.startsWith(`${to}/`));
}

/** The desks with the pages that the role may see. */
export const desksOf = (role: Role): Desk[] =>
  desks
    .map((desk) => ({ ...desk, places: desk.places.filter(({ right }) => !right || may(role, right)) }))
    .filter(({ places }) => places.length > 0);

/** The right that the page requires and the role does not have. */
export function missingRight(pathname: string, role: Role): Right | undefined {
  const right = desks.flatMap(({ places }) => places).find((place) => isAt(pathname, place))?.right;
  return right && !may(role, right) ? right : undefined;
}

/** The number of open items of a desk. */
export const openWork = ({ kinds = [] }: Desk, groups: readonly WorkGroup[]): number =>
  groups.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { count }) => sum + count, 0);
