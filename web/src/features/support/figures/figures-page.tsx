import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ListDate } from '@/ui/list/list-date';
import { ListFilter } from '@/ui/list/list-filter';
import { anyText, useListState } from '@/ui/list/use-list-state';
import { Notice } from '@/ui/notice';
import { Async } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import { formatDate, formatInstant } from '@/lib/format';
import { figuresQuery, type Figures } from '../api/figures';
import { CodesSection, CohortsSection, FailuresSection, TrialsSection } from './figure-others';
import { AverageSection, ChurnSection, RecurringSection } from './figure-recurring';
import { FiguresContext } from './figure-section';
import './figures.scss';

const optionsOf = (list: { id: string; name: string }[] = []) => list.map(({ id, name }) => [id, name] as const);

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
  const { filter } = useListState({ from: anyText, to: anyText, plan: anyText, state: anyText });
  const shown = useQuery({ ...figuresQuery(filter), placeholderData: keepPreviousData });
  return (
    <>
      <PageBar title="Figures">
        <ListDate name="from" label="From" type="month" otherwise={shown.data?.from} />
        <ListDate name="to" label="To" type="month" otherwise={shown.data?.to} />
        <ListFilter name="plan" label="Plan" options={optionsOf(shown.data?.plans)} />
        <ListFilter name="state" label="State" options={optionsOf(shown.data?.states)} />
      </PageBar>
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
