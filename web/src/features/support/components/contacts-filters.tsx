import { ListFilter } from '@/components/list/list-filter';
import { ListSearch } from '@/components/list/list-search';
import { anyText, oneOf, onlyTrue, useListState } from '@/components/list/use-list-state';
import type { ContactCounts, ContactsFilter } from '../api/contacts';
import { states, steps, topics } from './contact-words';

const topicKinds = ['sales', 'support', 'billing', 'partnership', 'other'] as const;
const owners = { me: 'Me', nobody: 'Nobody' };

/** The filters of the contact requests, all kept in the URL; the search once typing pauses. */
export function useContactsFilter() {
  const {
    filter: set,
    page,
    narrowed,
    set: narrow,
  } = useListState({
    state: oneOf(steps),
    topic: oneOf(topicKinds),
    owner: oneOf(owners),
    overdue: onlyTrue,
    search: anyText,
    customer: anyText,
  });
  const filter: ContactsFilter = { page, ...set };
  return { filter, narrowed, narrow };
}

export interface ContactsFiltersProps {
  overdue: boolean;
  onNarrow: (changes: { overdue: string }) => void;
  /** How many requests are in each state. */
  counts: ContactCounts | undefined;
}

export function ContactsFilters({ overdue, onNarrow, counts }: ContactsFiltersProps) {
  const count = (of: number | undefined) => (of === undefined ? '' : ` (${of.toLocaleString('en-IN')})`);
  return (
    <>
      <ListFilter
        id="contact-state"
        label="State"
        name="state"
        options={Object.fromEntries(steps.map((step) => [step, states[step] + count(counts?.[step])]))}
      />
      <ListFilter
        id="contact-topic"
        label="Topic"
        name="topic"
        options={Object.fromEntries(topicKinds.map((one) => [one, topics[one] ?? one]))}
      />
      <ListFilter id="contact-owner" label="Assigned to" name="owner" options={owners} all="Anybody" />
      <label className="console-switch">
        <input
          type="checkbox"
          checked={overdue}
          onChange={(event) => onNarrow({ overdue: event.target.checked ? 'true' : '' })}
        />{' '}
        Overdue{count(counts?.overdue)}
      </label>
      <ListSearch id="contact-search" label="Who" />
    </>
  );
}
