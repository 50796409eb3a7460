import { createContext, useContext, type ReactNode } from 'react';
import { ListTable } from '@/ui/list/list-table';
import { figureFile, type Figure, type FigureFilter, type Figures } from '../api/figures';
import { useMay } from '../api/rights';
import { DownloadLink } from '../shared/csv-link';

/** The figures and filter that the page's sections share. */
export const FiguresContext = createContext<{ of: Figures; filter: FigureFilter } | null>(null);

export function useFigures() {
  const shared = useContext(FiguresContext);
  if (!shared) throw new Error('This figure is used outside the page of figures.');
  return shared;
}

export interface FigureSectionProps {
  figure: Figure;
  chart: ReactNode;
  heads: string[];
  /** One cell for each heading, the first one the row's own. */
  rows: string[][];
  none: string;
}

/** A figure with its definition, its chart, the table behind the chart, and its file. */
export function FigureSection({ figure, chart, heads, rows, none }: FigureSectionProps) {
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
          {chart}
          <ListTable
            wide={heads.length > 6}
            caption={`${title} by month`}
            rows={rows}
            rowKey={(row) => row.slice(0, 3).join(' ')}
            columns={heads.map((label, at) => ({ label, cell: (row: string[]) => row[at], numeric: at > 0 }))}
          />
        </>
      )}
    </section>
  );
}
