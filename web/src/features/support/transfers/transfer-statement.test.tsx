import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { credit, open, posted, proposal } from './transfers.fixture';

const row = {
  line: 2,
  utr: credit.utr,
  amount_paise: credit.amount_paise,
  paid_at: credit.paid_at,
  payer_name: '',
  narration: 'NEFT CR',
  problem: '',
  known: false,
  dismissed: false,
  returned_by: 0,
  proposals: [proposal],
};
const statement = {
  bank: 'HDFC Bank',
  remembered: false,
  choice: '',
  asks: '',
  line: 1,
  headings: ['When', 'Story', 'Plus'],
  columns: ['day', 'narration', 'credit'],
  day_order: 'day_first',
  sample: [
    { line: 1, cells: ['When', 'Story', 'Plus'] },
    { line: 2, cells: ['20-Nov-2026', 'NEFT CR', '500.00'] },
  ],
  lines: 3,
  debits: 1,
  notes: [] as string[],
  credits: [row],
};
const file = new File(['date,amount,utr'], 'statement.csv', { type: 'text/csv' });

/** Returns the next answer for each reading of a statement, and collects the submitted choices. */
function reads(...answers: object[]) {
  const choices: string[] = [];
  server.use(
    mock.post('/api/support/bank-statements', ({ request }) => {
      choices.push(new URL(request.url).searchParams.toString());
      return ok(answers[Math.min(choices.length, answers.length) - 1]);
    }),
  );
  return choices;
}

test('shows the credits of a statement before they are entered, and says what was entered', async () => {
  reads({
    ...statement,
    choice: 'chosen-columns',
    notes: ['The total of the bank differs from the sum of the lines.'],
    credits: [
      row,
      { ...row, line: 3, utr: 'SBIN0001', known: true, proposals: [] },
      {
        ...row,
        line: 4,
        utr: '',
        amount_paise: 0,
        paid_at: null,
        problem: 'This line has more cells than the headings.',
        proposals: [],
      },
      { ...row, line: 5, utr: 'SBIN0002', dismissed: true, proposals: [] },
    ],
  });
  const bodies = posted('/api/support/bank-credits');
  const { user, container } = open('finance', [], '/?tab=statement');
  await user.upload(await screen.findByLabelText('Statement as CSV or XLSX'), file);
  expect(await screen.findByText('Booked already.')).toBeVisible();
  expect(screen.getByText(/^Read as a statement of HDFC Bank: 3 transactions, of which 1 money out/)).toBeVisible();
  expect(screen.getByText('The total of the bank differs from the sum of the lines.')).toBeVisible();
  expect(screen.getByText('This line has more cells than the headings.')).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Enter line 3' })).toBeDisabled();
  expect(screen.getByRole('checkbox', { name: 'Enter line 4' })).toBeDisabled();
  expect(screen.getByRole('checkbox', { name: 'Enter line 5' })).not.toBeChecked();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Enter 1 credit' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Reason'), 'Statement of today');
  await user.click(within(dialog).getByRole('button', { name: 'Enter' }));
  await waitFor(() =>
    expect(bodies).toEqual([
      {
        credits: [
          { utr: credit.utr, amount_paise: 1_45_800_00, paid_at: credit.paid_at, payer_name: '', narration: 'NEFT CR' },
        ],
        reason: 'Statement of today',
        choice: 'chosen-columns',
      },
    ]),
  );
  expect(await screen.findByText(/^1 credit entered, ₹1,45,800 in all/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'See what came in and what it pays' })).toHaveAttribute(
    'href',
    `/?tab=credits&search=${credit.utr}`,
  );
});

test('does not choose a credit that the same file returns', async () => {
  reads({ ...statement, credits: [{ ...row, returned_by: 7, proposals: [] }] });
  const { user } = open('finance', [], '/?tab=statement');
  await user.upload(await screen.findByLabelText('Statement as CSV or XLSX'), file);
  expect(await screen.findByText(/^Line 7 of this file returns it/)).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Enter line 2' })).not.toBeChecked();
  expect(screen.getByText('No credit is chosen. Choose at least one.')).toBeVisible();
  await user.click(screen.getByRole('checkbox', { name: 'Enter line 2' }));
  expect(screen.getByRole('button', { name: 'Enter 1 credit' })).toBeVisible();
});

test('names all bills when several fit a credit', async () => {
  const second = { ...proposal, proforma_id: 'p2', number: 'PF/26-27/000002' };
  reads({ ...statement, credits: [{ ...row, proposals: [proposal, second] }] });
  const { user } = open('finance', [{ ...credit, proposals: [proposal, second] }], '/?tab=statement');
  await user.upload(await screen.findByLabelText('Statement as CSV or XLSX'), file);
  const words = '2 open bills fit: PF/26-27/000001, PF/26-27/000002.';
  expect(await screen.findByText(words)).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Came in' }));
  expect(await screen.findByText(words)).toBeVisible();
});

test('asks which column is which when no bank’s description fits', async () => {
  const choices = reads(
    { ...statement, bank: '', asks: 'columns', columns: ['', '', ''], credits: [] },
    { ...statement, bank: '', remembered: true },
  );
  const { user, container } = open('finance', [], '/?tab=statement');
  await user.upload(await screen.findByLabelText('Statement as CSV or XLSX'), file);
  expect(await screen.findByRole('heading', { name: 'Which column is which?' })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.selectOptions(screen.getByLabelText('Column 1, When'), 'Day of the transaction');
  await user.selectOptions(screen.getByLabelText('Column 2, Story'), 'Narration');
  await user.click(screen.getByRole('button', { name: 'Read with these columns' }));
  expect(screen.getByRole('alert')).toHaveTextContent('Choose what each column holds.');
  await user.selectOptions(screen.getByLabelText('Column 3, Plus'), 'Balance');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  await user.selectOptions(screen.getByLabelText('Column 3, Plus'), 'Money in');
  await user.click(screen.getByRole('button', { name: 'Read with these columns' }));
  expect(await screen.findByText(/^Read with the columns chosen before/)).toBeVisible();
  expect(choices.map(decodeURIComponent)).toEqual(['', 'line=1&columns=day,narration,credit&day_order=day_first']);
  await user.click(screen.getByRole('button', { name: 'Change the columns' }));
  expect(screen.getByLabelText('Column 3, Plus')).toHaveValue('credit');
});

test('asks whether the day or the month comes first when the dates fit both', async () => {
  const choices = reads(
    {
      ...statement,
      bank: '',
      asks: 'day_order',
      day_order: '',
      credits: [{ ...row, problem: 'Say first whether the day or the month comes first.' }],
    },
    { ...statement, bank: '', day_order: 'month_first' },
  );
  const { user } = open('finance', [], '/?tab=statement');
  await user.upload(await screen.findByLabelText('Statement as CSV or XLSX'), file);
  expect(await screen.findByText(/^The dates of the file fit both\./)).toBeVisible();
  await user.click(screen.getByRole('button', { name: '11 May (month first)' }));
  expect(await screen.findByRole('button', { name: 'Enter 1 credit' })).toBeEnabled();
  expect(choices).toEqual(['', 'day_order=month_first']);
});

test('shows why a file is refused', async () => {
  server.use(
    mock.post('/api/support/bank-statements', () =>
      refused(422, {
        message: 'Refused',
        code: 'invalid',
        messages: { file: ['This Excel workbook is damaged. Open it, and save it as CSV.'] },
      }),
    ),
  );
  const { user } = open('finance', [], '/?tab=statement');
  await user.upload(await screen.findByLabelText('Statement as CSV or XLSX'), file);
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'This Excel workbook is damaged. Open it, and save it as CSV.',
  );
});
