import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { useSetFilter } from '@/ui/list/use-list-state';
import { Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import { formatDate, formatInstant } from '@/lib/format';
import { figuresQuery, type FigureFilter, type Figures } from '../api/figures';
import { CodesSection, CohortsSection, FailuresSection, TrialsSection } from './figure-others';
import { AverageSection, ChurnSection, RecurringSection } from './figure-recurring';
import { FiguresContext } from './figure-section';
import './figures.scss';

const names = ['from', 'to', 'plan', 'state'] as const;

interface FiltersProps {
  filter: FigureFilter;
  of: Figures | undefined;
  set: (name: (typeof names)[number], value: string) => void;
}

function Filters({ filter, of, set }: FiltersProps) {
  const month = (name: 'from' | 'to', label: string) => (
    <TextField
      box="console-filter"
      label={label}
      type="month"
      value={filter[name] ?? of?.[name] ?? ''}
      onChange={(value) => set(name, value)}
    />
  );
  const choice = (name: 'plan' | 'state', label: string, list: { id: string; name: string }[]) => (
    <NativeSelectField
      box="console-filter"
      label={label}
      empty="All"
      options={list.map((one) => [one.id, one.name])}
      value={filter[name] ?? ''}
      onChange={(value) => set(name, value)}
    />
  );
  return (
    <PageBar title="Figures">
      {month('from', 'From')}
      {month('to', 'To')}
      {choice('plan', 'Plan', of?.plans ?? [])}
      {choice('state', 'State', of?.states ?? [])}
    </PageBar>
  );
}

function Counted({ of }: { of: Figures }) {
  if (of.as_of === null || of.counted_at === null)
    return <p>Nothing is counted yet: the figures are calculated every night, starting tonight.</p>;
  return (
    <>
      <p>
        Counted {formatInstant(of.counted_at)} and checked against the rows; the running month counts up to{' '}
        {formatDate(of.as_of)}.
      </p>
      {of.differences > 0 && (
        <Notice tone="warning">
          {of.differences} stored figures differed from the rows and were calculated again. The books check names them.
        </Notice>
      )}
    </>
  );
}

/** The figures of the business, each with its definition, a chart, the table behind it, and a file. */
export function FiguresPage() {
  const [params] = useSearchParams();
  const setFilter = useSetFilter();
  const filter: FigureFilter = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) filter[name] = value;
  }
  const shown = useQuery({ ...figuresQuery(filter), placeholderData: keepPreviousData });
  const set = (name: string, value: string) => setFilter({ [name]: value });
  return (
    <>
      <Filters filter={filter} of={shown.data} set={set} />
      <Async query={shown} what="the figures" lines={8} />
      {shown.data && <Counted of={shown.data} />}
      {shown.data?.as_of && (
        <FiguresContext value={{ of: shown.data, filter }}>
          <RecurringSection />
          <ChurnSection />
          <AverageSection />
          <TrialsSection />
          <CohortsSection />
          <FailuresSection />
          <CodesSection />
        </FiguresContext>
      )}
    </>
  );
}
