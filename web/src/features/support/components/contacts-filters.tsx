import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '@/lib/use-debounced';
import type { ContactCounts, ContactsFilter } from '../api/contacts';
import { FilterField } from './filter-field';
import { states, steps, topics } from './contact-words';

const topicKinds = ['sales', 'support', 'billing', 'partnership', 'other'] as const;
const owners = ['me', 'nobody'] as const;

/** The filters of the contact requests, all kept in the URL; the search once typing pauses. */
export function useContactsFilter() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState(params.get('search') ?? '');
  const search = useDebounced(typed.trim(), 200);
  const narrow = (name: string, value: string) =>
    setParams(
      (before) => {
        if (value) before.set(name, value);
        else before.delete(name);
        before.delete('page');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  useEffect(() => {
    setParams(
      (before) => {
        if ((before.get('search') ?? '') === search) return before;
        before.delete('page');
        if (search) before.set('search', search);
        else before.delete('search');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [search, setParams]);
  const state = steps.find((one) => one === params.get('state'));
  const owner = owners.find((one) => one === params.get('owner'));
  const overdue = params.get('overdue') === 'true';
  const topic = topicKinds.find((one) => one === params.get('topic'));
  const customer = params.get('customer');
  const filter: ContactsFilter = {
    page: Math.max(1, Number(params.get('page')) || 1),
    ...(state && { state }),
    ...(owner && { owner }),
    ...(overdue && { overdue }),
    ...(topic && { topic }),
    ...(search && { search }),
    ...(customer && { customer }),
  };
  return {
    filter,
    narrowed: Boolean(state ?? topic ?? owner ?? customer) || overdue || search !== '',
    typed,
    setTyped,
    narrow,
  };
}

export interface ContactsFiltersProps {
  filter: ContactsFilter;
  /** The text in the search box, applied or not. */
  typed: string;
  onNarrow: (name: 'state' | 'topic' | 'owner' | 'overdue', value: string) => void;
  /** How many requests are in each state. */
  counts: ContactCounts | undefined;
  onType: (value: string) => void;
}

export function ContactsFilters({ filter, typed, onNarrow, onType, counts }: ContactsFiltersProps) {
  return (
    <>
      <FilterField id="contact-state" label="State">
        <select
          id="contact-state"
          className="input"
          value={filter.state ?? ''}
          onChange={(event) => onNarrow('state', event.target.value)}
        >
          <option value="">All</option>
          {steps.map((step) => (
            <option key={step} value={step}>
              {states[step]}
              {counts && ` (${counts[step].toLocaleString('en-IN')})`}
            </option>
          ))}
        </select>
      </FilterField>
      <FilterField id="contact-topic" label="Topic">
        <select
          id="contact-topic"
          className="input"
          value={filter.topic ?? ''}
          onChange={(event) => onNarrow('topic', event.target.value)}
        >
          <option value="">All</option>
          {topicKinds.map((one) => (
            <option key={one} value={one}>
              {topics[one]}
            </option>
          ))}
        </select>
      </FilterField>
      <FilterField id="contact-owner" label="Assigned to">
        <select
          id="contact-owner"
          className="input"
          value={filter.owner ?? ''}
          onChange={(event) => onNarrow('owner', event.target.value)}
        >
          <option value="">Anybody</option>
          <option value="me">Me</option>
          <option value="nobody">Nobody</option>
        </select>
      </FilterField>
      <label className="console-switch">
        <input
          type="checkbox"
          checked={filter.overdue ?? false}
          onChange={(event) => onNarrow('overdue', event.target.checked ? 'true' : '')}
        />{' '}
        Overdue{counts && ` (${counts.overdue.toLocaleString('en-IN')})`}
      </label>
      <FilterField id="contact-search" label="Who">
        <input
          id="contact-search"
          className="input"
          type="search"
          maxLength={100}
          autoComplete="off"
          value={typed}
          onChange={(event) => onType(event.target.value)}
        />
      </FilterField>
    </>
  );
}
