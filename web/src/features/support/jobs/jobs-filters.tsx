import { useEffect, useRef, useState } from 'react';
import { Button } from '@/ui/button';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { useDebounced } from '@/lib/use-debounced';
import type { JobSummary } from '../api/jobs';
import { jobName } from '../customers/customer-words';
import { filterParams, spans, stateWords } from './jobs-filter';
import { Offer } from '../shared/offer';

export interface JobsFiltersProps {
  params: URLSearchParams;
  facets: JobSummary['facets'];
  /** The name of the customer by whom the list is filtered, if it is known. */
  customer: string;
  onChange: (next: Record<string, string>) => void;
}

interface ChoiceProps {
  name: string;
  label: string;
  all: string;
  value: string;
  options: [value: string, label: string][];
  onChange: (value: string) => void;
}

function Choice({ name, label, all, value, options, onChange }: ChoiceProps) {
  const known = options.some(([option]) => option === value);
  return (
    <NativeSelectField
      box=""
      label={label}
      empty={all}
      options={known || !value ? options : [[value, name === 'kind' ? jobName(value) : value], ...options]}
      value={value}
      onChange={onChange}
    />
  );
}

function totals(
  facets: JobSummary['facets'],
  by: 'kind' | 'queue',
  nameOf: (value: string) => string,
): [string, string][] {
  const counts = new Map<string, number>();
  for (const facet of facets) counts.set(facet[by], (counts.get(facet[by]) ?? 0) + facet.count);
  return [...counts].map(([value, n]) => [value, `${nameOf(value)} (${n})`]);
}

interface TextProps {
  label: string;
  given: string;
  hint?: string;
  onChange: (value: string) => void;
}

/** A filter that is typed, and acts when the typing stops. */
function Text({ label, given, hint, onChange }: TextProps) {
  const [typed, setTyped] = useState(given);
  const settled = useDebounced(typed, 300);
  const sent = useRef<string[]>([]);
  useEffect(() => {
    // The URL follows the typing with a delay; ignore our own earlier values, or they would overwrite newer input.
    const own = sent.current.lastIndexOf(given);
    sent.current = own < 0 ? [] : sent.current.slice(own + 1);
    if (own < 0) setTyped(given);
  }, [given]);
  useEffect(() => {
    if (settled !== typed || settled === given) return;
    sent.current.push(settled);
    onChange(settled);
    // Only typing updates the URL, never a change of the URL itself.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [settled]);
  return (
    <TextField
      box="jobs-filter-error"
      label={label}
      maxLength={100}
      placeholder={hint}
      value={typed}
      onChange={setTyped}
    />
  );
}

/** The filters of the list, all kept in the URL. */
export function JobsFilters({ params, facets, customer, onChange }: JobsFiltersProps) {
  const at = (name: string) => params.get(name) ?? '';
  const narrowed = filterParams.some((name) => params.has(name));
  return (
    <form className="jobs-filters" role="search" aria-label="Failed jobs" onSubmit={(event) => event.preventDefault()}>
      <Text label="Error contains" given={at('error')} onChange={(error) => onChange({ error })} />
      <Text label="Argument" hint="An id, or payment_id:…" given={at('arg')} onChange={(arg) => onChange({ arg })} />
      <Choice
        name="kind"
        label="Kind"
        all="Every kind"
        value={at('kind')}
        options={totals(facets, 'kind', jobName)}
        onChange={(kind) => onChange({ kind })}
      />
      <Choice
        name="queue"
        label="Queue"
        all="Every queue"
        value={at('queue')}
        options={totals(facets, 'queue', String)}
        onChange={(queue) => onChange({ queue })}
      />
      <Choice
        name="state"
        label="State"
        all="All failed"
        value={at('state')}
        onChange={(state) => onChange({ state })}
        options={['discarded', 'retryable', 'cancelled', 'snoozed', 'dismissed'].map((state) => [
          state,
          stateWords[state] ?? state,
        ])}
      />
      <Choice
        name="since"
        label="Time"
        all={at('from') ? 'As marked in the chart' : 'Any time'}
        value={at('since')}
        onChange={(since) => onChange({ since, from: '', to: '' })}
        options={Object.entries(spans).map(([name, [label]]) => [name, label])}
      />
      {at('customer') && (
        <Offer onClick={() => onChange({ customer: '' })} of=": show the jobs of all">
          Only {customer || 'one customer'} <span aria-hidden="true">×</span>
        </Offer>
      )}
      {narrowed && (
        <Button
          variant="quiet"
          size="sm"
          onClick={() => onChange(Object.fromEntries(filterParams.map((name) => [name, ''])))}
        >
          Clear filters
        </Button>
      )}
    </form>
  );
}
