import { createContext, useContext } from 'react';
import { ListTable } from '@/ui/list/list-table';
import { figureFile, type Figure, type FigureFilter, type Figures } from '../api/figures';
import { useMay } from '../api/rights';
import { DownloadLink } from '../shared/csv-link';
import { FigureChart, type FigureChartProps } from './figure-chart';

/** The figures and filter that the page's sections share. */
export const FiguresContext = createContext<{ of: Figures; filter: FigureFilter } | null>(null);

export function useFigures() {
  const shared = useContext(FiguresContext);
  if (!shared) throw new Error('This figure is used outside the page of figures.');
  return shared;
}

export interface FigureSectionProps<Row> {
  figure: Figure;
  chart: FigureChartProps;
  rows: readonly Row[];
  /** The heading of each column and its value in a row; the first column names the row. */
  columns: readonly (readonly [label: string, value: (row: Row) => string])[];
  none: string;
}

/** A figure with its definition, its chart, the table behind the chart, and its file. */
export function FigureSection<Row>({ figure, chart, rows, columns, none }: FigureSectionProps<Row>) {
  const { of, filter } = useFigures();
  const files = useMay('files');
  const definition = of.definitions.find((one) => one.figure === figure);
  const title = definition?.title ?? figure;
  return (
    <section aria-labelledby={`figure-${figure}`} className="figure-section">
      <div className="console-bar">
        <h2 id={`figure-${figure}`}>{title}</h2>
        {files && rows.length > 0 && (
          <DownloadLink href={figureFile(figure, filter)} aria-label={`CSV of ${title.toLowerCase()}`}>
            CSV
          </DownloadLink>
        )}
      </div>
      <p className="console-hint">{definition?.text}</p>
      {rows.length === 0 ? (
        <p>{none}</p>
      ) : (
        <>
          <FigureChart {...chart} />
          <ListTable
            wide={columns.length > 6}
            caption={`${title} by month`}
            rows={rows}
            rowKey={(_, index) => index}
            columns={columns.map(([label, cell], at) => ({ label, cell, numeric: at > 0 }))}
          />
        </>
      )}
    </section>
  );
}
