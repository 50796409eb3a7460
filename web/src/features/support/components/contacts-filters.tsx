import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useDebounced } from '@/lib/use-debounced';
import type { ContactsFilter } from '../api/customers';
import { statuses, steps } from './contact-request';

const topics = ['sales', 'support', 'billing', 'partnership', 'other'] as const;

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
  const status = steps.find((one) => one === params.get('status'));
  const topic = topics.find((one) => one === params.get('topic'));
  const filter: ContactsFilter = {
    page: Math.max(1, Number(params.get('page')) || 1),
    ...(status && { status }),
    ...(topic && { topic }),
    ...(search && { search }),
  };
  return { filter, narrowed: Boolean(status ?? topic) || search !== '', typed, setTyped, narrow };
}

export interface ContactsFiltersProps {
  filter: ContactsFilter;
  /** The text in the search box, applied or not. */
  typed: string;
  onNarrow: (name: 'status' | 'topic', value: string) => void;
  onType: (value: string) => void;
}

export function ContactsFilters({ filter, typed, onNarrow, onType }: ContactsFiltersProps) {
  return (
    <>
      <label htmlFor="contact-status">Status</label>
      <select
        id="contact-status"
        className="input"
        value={filter.status ?? ''}
        onChange={(event) => onNarrow('status', event.target.value)}
      >
        <option value="">All</option>
        {steps.map((step) => (
          <option key={step} value={step}>
            {statuses[step]}
          </option>
        ))}
      </select>
      <label htmlFor="contact-topic">Topic</label>
      <select
        id="contact-topic"
        className="input"
        value={filter.topic ?? ''}
        onChange={(event) => onNarrow('topic', event.target.value)}
      >
        <option value="">All</option>
        {topics.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <label htmlFor="contact-search">Who</label>
      <input
        id="contact-search"
        className="input"
        type="search"
        maxLength={100}
        autoComplete="off"
        value={typed}
        onChange={(event) => onType(event.target.value)}
      />
    </>
  );
}
