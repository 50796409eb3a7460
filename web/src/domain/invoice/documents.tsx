import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import type { ButtonProps } from '@/ui/button';
import { InvoiceButton } from './invoice-button';

type TaxDocument = components['schemas']['TaxDocument'];

export interface DocumentsProps extends Pick<ButtonProps, 'variant'> {
  documents: readonly TaxDocument[];
}

/** The documents of a payment with their downloads; documents other than the invoice show number and amount. */
export function Documents({ documents, variant }: DocumentsProps) {
  return (
    <ul className="documents">
      {documents.map(({ id, kind, number, amount, replaces, replaced_by: replacedBy }) => (
        <li key={id}>
          <InvoiceButton id={id} number={number} kind={kind} size="sm" {...(variant && { variant })} />
          {kind !== 'invoice' && (
            <span className="document-note text-muted text-sm tabular">
              <span>{number}</span> <span>{amount}</span>
            </span>
          )}
          {replaces && <span className="document-note text-muted text-sm">{t`In place of ${replaces}`}</span>}
          {replacedBy && (
            <span className="document-note text-muted text-sm">{t`No longer valid: replaced by ${replacedBy}`}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
