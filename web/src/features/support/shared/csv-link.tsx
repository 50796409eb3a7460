import type { AnchorHTMLAttributes } from 'react';
import { useMay } from '../api/rights';

/** A link that downloads a file, with the look of a button. */
export function DownloadLink({ children, ...link }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a className="btn btn-outline btn-sm" download {...link}>
      {children}
    </a>
  );
}

/** The lists that every role that sees them may download. */
const open = ['acts', 'jobs', 'deliveries', 'audit'] as const;

interface CsvLinkProps {
  list:
    | (typeof open)[number]
    | 'money'
    | 'reversals'
    | 'transfers'
    | 'bank-credits'
    | 'e-invoices'
    | 'credit-notes'
    | 'tds';
  /** The list's filters as query parameters; empty values are omitted. */
  filter: object;
  label?: string;
  /** What is downloaded, where a page has several lists. */
  of?: string;
}

/** Downloads a list as CSV, with the filters that are set. It is hidden from roles that may not download the list. */
export function CsvLink({ list, filter, label = 'Download CSV', of }: CsvLinkProps) {
  const files = useMay('files');
  if (!files && !open.some((one) => one === list)) return null;
  const set = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
  const query = new URLSearchParams(set).toString();
  return (
    <DownloadLink href={`/api/support/${list}/export${query && `?${query}`}`}>
      {label}
      {of && <span className="visually-hidden"> of {of}</span>}
    </DownloadLink>
  );
}
