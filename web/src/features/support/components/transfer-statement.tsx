import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/button';
import { explain, toApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { inPlace } from '../api/support';
import { enterCredits, readStatement, type NewCredit, type StatementRow } from '../api/transfers';
import { rupees } from './customer-words';
import { ReasonDialog } from './reason-dialog';
import { TransferOne } from './transfer-one';
import { TransferStatementRows } from './transfer-statement-rows';

/** The most characters of a file that are read at once. */
const FILE_MAX = 65_000;

const takable = (row: StatementRow) => !row.problem && !row.known;

function creditOf({ utr, amount_paise, paid_at, payer_name, narration }: StatementRow): NewCredit {
  return { utr, amount_paise, paid_at: paid_at ?? '', payer_name, narration };
}

interface EnterDialogProps {
  credits: NewCredit[];
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

function EnterDialog({ credits, onDone, onClose }: EnterDialogProps) {
  return (
    <ReasonDialog
      title={credits.length === 1 ? 'Enter this credit?' : `Enter ${credits.length} credits?`}
      effect={
        <p>
          {rupees(credits.reduce((sum, { amount_paise: amount }) => sum + amount, 0))} in all. Each is booked as
          received and matched with the open bills; a number is booked once.
        </p>
      }
      label="Enter"
      suggestions={['Statement of today', 'Statement of yesterday']}
      act={(reason) => enterCredits(credits, reason)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

/** Takes credits from the bank's statement, a file or one by one. Nothing is stored before it is confirmed. */
export function TransferStatement() {
  const queries = useQueryClient();
  const [problem, setProblem] = useState('');
  const [skipped, setSkipped] = useState<number[]>([]);
  const [entering, setEntering] = useState<NewCredit[]>();
  const read = useMutation({
    ...inPlace,
    mutationFn: readStatement,
    onSuccess: (found) => setSkipped(found.filter((row) => row.dismissed).map((row) => row.line)),
    onError: (error) => setProblem(Object.values(toApiError(error).fields).flat().join(' ') || explain(error)),
  });
  const handleFile = async (file: File | undefined) => {
    setProblem('');
    if (!file) return;
    const csv = await file.text();
    if (csv.length > FILE_MAX) setProblem('The file is too large. Split it: at most 65,000 characters at once.');
    else read.mutate(csv);
  };
  const rows = read.data ?? [];
  const chosen = rows.filter((row) => takable(row) && !skipped.includes(row.line));
  const done = ({ message }: { message: string }) => {
    setEntering(undefined);
    read.reset();
    toast.success(message);
    void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'support' });
  };
  return (
    <>
      <h2>From the bank’s statement</h2>
      <p className="console-hint" id="statement-hint">
        CSV as the bank exports it, such as those of HDFC, ICICI, SBI, Axis and Kotak. One of its lines names the
        columns: date, deposit (or credit, amount), reference (or UTR) and narration; what stands above it, debits and
        sums are left out. It may overlap with an earlier one.
      </p>
      <label htmlFor="statement-file">Statement as CSV</label>
      <input
        id="statement-file"
        type="file"
        accept=".csv,text/csv"
        className="input"
        aria-describedby="statement-hint"
        onChange={(event) => void handleFile(event.target.files?.[0])}
      />
      {problem && (
        <p role="alert" className="console-error">
          {problem}
        </p>
      )}
      {read.isPending && <p role="status">Reading the statement</p>}
      {read.data && rows.length === 0 && <p>The statement has no credits.</p>}
      {rows.length > 0 && (
        <>
          <TransferStatementRows rows={rows} skipped={skipped} takable={takable} onSkip={setSkipped} />
          {chosen.length === 0 ? (
            <p>None of them can be entered, or is chosen.</p>
          ) : (
            <Button onClick={() => setEntering(chosen.map(creditOf))}>
              Enter {chosen.length} {chosen.length === 1 ? 'credit' : 'credits'}
            </Button>
          )}
        </>
      )}
      <h2>One by one</h2>
      <TransferOne onEnter={(credit) => setEntering([credit])} />
      {entering && <EnterDialog credits={entering} onDone={done} onClose={() => setEntering(undefined)} />}
    </>
  );
}
