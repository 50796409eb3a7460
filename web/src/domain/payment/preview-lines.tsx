import { Table } from '@/ui/list/table';
import type { components } from '@/lib/api/schema.gen';

type PreviewLine = components['schemas']['PreviewLine'];

export interface PreviewLinesProps {
  /** The name of the sum, for assistive technology. */
  label: string;
  lines: readonly PreviewLine[];
}

/** A charge line by line; discounts and credits are highlighted, the last line is the total. */
export function PreviewLines({ label, lines }: PreviewLinesProps) {
  return (
    <Table
      className="price-lines"
      caption={label}
      rows={lines}
      rowKey={(line, index) => `${line.label}-${index}`}
      rowClass={(line) => `price-line-${line.type}`}
      columns={[
        { label: '', cell: (line) => line.label },
        { label: '', className: 'tabular', cell: (line) => line.value },
      ]}
    />
  );
}
