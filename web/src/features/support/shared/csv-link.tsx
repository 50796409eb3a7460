import { useMay } from '../api/rights';

interface CsvLinkProps {
  list: 'money' | 'reversals' | 'acts' | 'jobs' | 'transfers' | 'bank-credits' | 'e-invoices';
  /** The list's filters as query parameters; empty values are omitted. */
  filter: Record<string, string | undefined>;
  /** What is downloaded, where a page has several lists. */
  of?: string;
}

/** Downloads a list as CSV, with the filters that are set. It is hidden from roles that may not download the list. */
export function CsvLink({ list, filter, of }: CsvLinkProps) {
  const files = useMay('files');
  if (!files && list !== 'acts' && list !== 'jobs') return null;
  const set = Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams(set).toString();
  return (
    <a className="btn btn-outline btn-sm" href={`/api/support/${list}/export${query && `?${query}`}`} download>
      Download CSV{of && <span className="visually-hidden"> of {of}</span>}
    </a>
  );
}
