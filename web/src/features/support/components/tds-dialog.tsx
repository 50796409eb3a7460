import { useState } from 'react';
import { changeTax, type DeductedTax } from '../api/transfers';
import { rupees } from './customer-words';
import { paiseOf } from './money-form';
import { ReasonDialog } from './reason-dialog';
import { taxPapers, taxStateOf } from './transfer-words';

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
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

/** Records the tax account's entry, the certificate, and the deductor's TAN and PAN. */
export function TdsDialog({ of: one, onDone, onClose }: TdsDialogProps) {
  const [state, setState] = useState<State>(one.state);
  const [typed, setTyped] = useState({
    tan: one.tan,
    pan: one.pan,
    shown: one.shown_paise === null ? '' : (one.shown_paise / 100).toFixed(2),
    certificate: one.certificate,
  });
  const papers = taxPapers[one.kind];
  const fields: [name: keyof typeof typed, label: string, most: number][] = [
    ['shown', papers.shows, 20],
    ['certificate', papers.certificate, 40],
    ['tan', 'TAN of the deductor', 10],
    ['pan', 'PAN of the deductor', 10],
  ];
  const act = async (reason: string) => {
    const shown = typed.shown.trim() ? paiseOf(typed.shown) : null;
    if (shown === undefined) throw new Error(`Enter what ${papers.account} shows in rupees, such as 1,500 or 1500.50.`);
    const { tan, pan, certificate } = typed;
    return changeTax(one.id, { state, tan, pan, certificate, ...(shown !== null && { shown_paise: shown }), reason });
  };
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
      act={act}
      onDone={onDone}
      onClose={onClose}
    >
      <label htmlFor="tds-next">State</label>
      <select id="tds-next" className="input" value={state} onChange={(event) => setState(event.target.value as State)}>
        {[one.state, ...next[one.state]].map((each) => (
          <option key={each} value={each}>
            {taxStateOf(one.kind, each)}
          </option>
        ))}
      </select>
      {fields.map(([name, label, most]) => (
        <div key={name}>
          <label htmlFor={`tds-${name}`}>{label}</label>
          <input
            id={`tds-${name}`}
            className="input"
            autoComplete="off"
            maxLength={most}
            value={typed[name]}
            onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          />
        </div>
      ))}
    </ReasonDialog>
  );
}
