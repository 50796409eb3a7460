import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { changeTax, type DeductedTax } from '../api/transfers';
import { rupees } from '../customers/customer-words';
import { paiseOf } from '../money/money-form';
import { ReasonDialog } from '../shared/reason-dialog';
import { taxPapers, taxStateOf } from '../transfers/transfer-words';

type State = DeductedTax['state'];

/** The states that follow each; a mistake leads back to the first. */
const next: Record<State, State[]> = {
  claimed: ['in_form_168', 'certificate'],
  in_form_168: ['certificate', 'claimed'],
  certificate: ['matched', 'claimed'],
  matched: ['claimed'],
};

export interface TdsDialogProps {
  of: DeductedTax;
  onClose: () => void;
}

/** Records the tax account's entry, the certificate, and the deductor's TAN and PAN. */
export function TdsDialog({ of: one, onClose }: TdsDialogProps) {
  const values = {
    state: one.state,
    tan: one.tan,
    pan: one.pan,
    shown_paise: one.shown_paise === null ? '' : (one.shown_paise / 100).toFixed(2),
    certificate: one.certificate,
  };
  const papers = taxPapers[one.kind];
  const fields: [name: keyof typeof values, label: string, most: number][] = [
    ['shown_paise', papers.shows, 20],
    ['certificate', papers.certificate, 40],
    ['tan', 'TAN of the deductor', 10],
    ['pan', 'PAN of the deductor', 10],
  ];
  const problemsOf = ({ shown_paise: shown }: typeof values) => ({
    shown_paise:
      shown.trim() && paiseOf(shown) === undefined
        ? `Enter what ${papers.account} shows in rupees, such as 1,500 or 1500.50.`
        : undefined,
  });
  const act = (reason: string, _: unknown, { shown_paise: shown, ...typed }: typeof values) =>
    changeTax(one.id, { ...typed, ...(shown.trim() && { shown_paise: paiseOf(shown) }), reason });
  return (
    <ReasonDialog
      title={`What was found of the tax of ${one.proforma}?`}
      effect={
        <p>
          {rupees(one.amount_paise)} were deducted from {rupees(one.base_paise)}. It is matched once {papers.account}{' '}
          and the certificate agree with that.
        </p>
      }
      label="Note it"
      suggestions={[`Seen in ${papers.account}`, 'Certificate received by e-mail', 'Certificate downloaded']}
      reasonLast
      values={values}
      problemsOf={problemsOf}
      act={act}
      onClose={onClose}
    >
      <NativeSelectField
        name="state"
        label="State"
        options={[one.state, ...next[one.state]].map((each) => [each, taxStateOf(one.kind, each)])}
      />
      {fields.map(([name, label, most]) => (
        <TextField key={name} name={name} label={label} autoComplete="off" maxLength={most} />
      ))}
    </ReasonDialog>
  );
}
