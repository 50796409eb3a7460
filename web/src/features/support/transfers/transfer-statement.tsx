import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { FileField } from '@/ui/form/file-field';
import { explain, toApiError } from '@/lib/api/errors';
import {
  enterCredits,
  readStatement,
  type BankStatement,
  type NewCredit,
  type StatementChoice,
  type StatementRow,
} from '../api/transfers';
import { useCall } from '../api/use-change';
import { rupees } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { count } from '../shared/count';
import { TransferColumns } from './transfer-columns';
import { TransferOne } from './transfer-one';
import { TransferStatementRows } from './transfer-statement-rows';

const takable = (row: StatementRow) => !row.problem && !row.known;

function creditOf({ utr, amount_paise, paid_at, payer_name, narration }: StatementRow): NewCredit {
  return { utr, amount_paise, paid_at: paid_at ?? '', payer_name, narration };
}

const totalOf = (list: NewCredit[]) => rupees(list.reduce((sum, { amount_paise: amount }) => sum + amount, 0));

interface EnterDialogProps {
  credits: NewCredit[];
  /** The choice of the statement's columns, to be remembered. */
  choice: string;
  onDone: () => void;
  onClose: () => void;
}

function EnterDialog({ credits: list, choice, onDone, onClose }: EnterDialogProps) {
  return (
    <ReasonDialog
      title={list.length === 1 ? 'Enter this credit?' : `Enter ${count(list.length, 'credit')}?`}
      effect={
        <p>
          {totalOf(list)} in all. Each is booked as received and matched with the open bills; a number is booked once.
        </p>
      }
      label="Enter"
      suggestions={['Statement of today', 'Statement of yesterday']}
      act={(reason) => enterCredits(list, reason, choice)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** The number of entered credits, with a link to them. */
function Entered({ list }: { list: NewCredit[] }) {
  const search = list.length === 1 ? `&search=${encodeURIComponent(list[0]?.utr ?? '')}` : '';
  return (
    <p role="status">
      {count(list.length, 'credit')} entered, {totalOf(list)} in all.{' '}
      <Link to={{ search: `?tab=credits${search}` }}>See what came in and what it pays</Link>
    </p>
  );
}

/** How a file was read: by which format, and which lines were skipped. */
function ReadAs({ of: { bank, remembered, lines, debits, notes, credits: rows } }: { of: BankStatement }) {
  const by = bank
    ? `Read as a statement of ${bank}`
    : remembered
      ? 'Read with the columns chosen before'
      : 'Read by its headings';
  return (
    <>
      <p>
        {by}: {count(lines, 'transaction')}, of which {debits} money out. {rows.length} to look at.
      </p>
      {notes.map((note) => (
        <p key={note} className="console-error">
          {note}
        </p>
      ))}
    </>
  );
}

function DayOrder({ pending, onChoose }: { pending: boolean; onChoose: (choice: StatementChoice) => void }) {
  return (
    <fieldset>
      <legend>Is 05/11/2026 the 5th of November or the 11th of May in this file?</legend>
      <p className="console-hint">
        The dates of the file fit both. Once you enter credits, the answer is remembered for files with these headings.
      </p>
      <Button variant="outline" pending={pending} onClick={() => onChoose({ day_order: 'day_first' })}>
        5 November (day first)
      </Button>{' '}
      <Button variant="outline" pending={pending} onClick={() => onChoose({ day_order: 'month_first' })}>
        11 May (month first)
      </Button>
    </fieldset>
  );
}

interface FoundProps {
  of: BankStatement;
  pending: boolean;
  onChoose: (choice: StatementChoice) => void;
  onEnter: (list: NewCredit[]) => void;
}

/** What a file holds, with the questions that it leaves. */
function Found({ of: statement, pending, onChoose, onEnter }: FoundProps) {
  const [changing, setChanging] = useState(false);
  const [skipped, setSkipped] = useState(() =>
    statement.credits.filter((row) => row.dismissed || row.returned_by > 0).map((row) => row.line),
  );
  if (statement.asks === 'columns' || changing)
    return <TransferColumns of={statement} pending={pending} onChoose={onChoose} />;
  const chosen = statement.credits.filter((row) => takable(row) && !skipped.includes(row.line));
  return (
    <>
      <ReadAs of={statement} />
      {statement.asks === 'day_order' && <DayOrder pending={pending} onChoose={onChoose} />}
      {!statement.bank && (
        <Button variant="quiet" size="sm" onClick={() => setChanging(true)}>
          Change the columns
        </Button>
      )}
      {statement.credits.length === 0 && <p>The statement has no credits.</p>}
      {statement.credits.length > 0 && (
        <>
          <TransferStatementRows rows={statement.credits} skipped={skipped} takable={takable} onSkip={setSkipped} />
          {chosen.length === 0 ? (
            <p>
              {statement.credits.some(takable)
                ? 'No credit is chosen. Choose at least one.'
                : 'No credit of this file can be entered. See the reason in each row.'}
            </p>
          ) : (
            <Button onClick={() => onEnter(chosen.map(creditOf))}>Enter {count(chosen.length, 'credit')}</Button>
          )}
        </>
      )}
    </>
  );
}

/** Takes credits from the bank's statement, a file or one by one. Nothing is stored before it is confirmed. */
export function TransferStatement() {
  const [statement, setStatement] = useState<{ found: BankStatement; key: number }>();
  const [entering, setEntering] = useState<{ list: NewCredit[]; choice: string }>();
  const [entered, setEntered] = useState<NewCredit[]>();
  const read = useCall(({ of, choice }: { of: File; choice?: StatementChoice }) => readStatement(of, choice), {
    onSuccess: (found) => setStatement({ found, key: (statement?.key ?? 0) + 1 }),
  });
  const handleFile = (chosen: File | undefined) => {
    setStatement(undefined);
    setEntered(undefined);
    read.reset();
    if (chosen) read.mutate({ of: chosen });
  };
  // A further choice keeps the order of columns that was chosen before it.
  const handleChoice = (choice: StatementChoice) => {
    if (!read.variables) return;
    const { of, choice: before } = read.variables;
    read.mutate({ of, choice: choice.line ? choice : { ...before, ...choice } });
  };
  const done = () => {
    setEntered(entering?.list);
    setEntering(undefined);
    setStatement(undefined);
    read.reset();
  };
  return (
    <>
      <h2>From the bank’s statement</h2>
      <FileField
        box="field console-narrow"
        label="Statement as CSV or XLSX"
        hint="CSV or XLSX as the bank exports it. Some twenty banks are known by the headings of their columns, among them HDFC, ICICI, SBI, Axis and Kotak; for another bank this page asks which column is which. Debits and sums are left out. The file may overlap with an earlier one."
        keepsName
        accept=".csv,.xlsx,.txt,.tsv,text/csv,text/plain"
        onChange={([file]) => handleFile(file)}
      />
      {read.error && (
        <p role="alert" className="console-error">
          {Object.values(toApiError(read.error).fields).flat().join(' ') || explain(read.error)}
        </p>
      )}
      {read.isPending && <p role="status">Reading the statement</p>}
      {entered && <Entered list={entered} />}
      {statement && (
        <Found
          key={statement.key}
          of={statement.found}
          pending={read.isPending}
          onChoose={handleChoice}
          onEnter={(list) => setEntering({ list, choice: statement.found.choice })}
        />
      )}
      <h2>One by one</h2>
      <TransferOne onEnter={(credit) => setEntering({ list: [credit], choice: '' })} />
      {entering && (
        <EnterDialog
          credits={entering.list}
          choice={entering.choice}
          onDone={done}
          onClose={() => setEntering(undefined)}
        />
      )}
    </>
  );
}
