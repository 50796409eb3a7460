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
    <table className="price-lines">
      <caption className="visually-hidden">{label}</caption>
      <tbody>
        {lines.map((line, index) => (
          <tr key={`${line.label}-${index}`} className={`price-line-${line.type}`}>
            <th scope="row">{line.label}</th>
            <td className="tabular">{line.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
