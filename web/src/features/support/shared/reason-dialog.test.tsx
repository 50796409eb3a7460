import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { TextField } from '@/ui/form/text-field';
import { renderRoutes } from '@/testing/render';
import { mock, ok, server } from '@/testing/server';
import type { Customer } from '../api/customers';
import { meQuery } from '../api/queries';
import type { StaffMember } from '../api/support';
import { ViewAs } from '../customers/customer-view-as';
import { me } from '../shell/console.fixture';
import { ReasonDialog } from './reason-dialog';

test('two clicks at once send once, and what failed can be sent again', async () => {
  const act = vi
    .fn<(reason: string) => Promise<string>>()
    .mockRejectedValueOnce(new Error('It failed.'))
    .mockResolvedValue('Done');
  const onDone = vi.fn();
  const { user } = renderRoutes(
    <ReasonDialog title="Act?" effect="It acts." label="Act" act={act} onDone={onDone} onClose={vi.fn()} />,
  );
  await user.type(await screen.findByLabelText('Reason'), 'Because');
  const send = screen.getByRole('button', { name: 'Act' });
  fireEvent.click(send);
  fireEvent.click(send);
  expect(await screen.findByRole('alert')).toBeVisible();
  expect(act).toHaveBeenCalledTimes(1);
  fireEvent.click(send);
  fireEvent.click(send);
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  expect(act).toHaveBeenCalledTimes(2);
});

test('a refusal says what is wrong with which field, and the reason is blamed for its own alone', async () => {
  const invalid = (fields: Record<string, string[]>) =>
    new ApiError({ status: 422, message: 'Please check the marked fields.', fields });
  const send = vi
    .fn<(reason: string) => Promise<string>>()
    .mockRejectedValueOnce(invalid({ url: ['Enter an https address.'], description: ['Say what it is.'] }))
    .mockRejectedValueOnce(invalid({ reason: ['Say why.'] }));
  const dialog = <ReasonDialog title="Add?" effect="" label="Add" act={send} onDone={vi.fn()} onClose={vi.fn()} />;
  const { user } = renderRoutes(dialog);
  await user.type(await screen.findByLabelText('Reason'), 'Because{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Enter an https address. Say what it is.');
  expect(screen.getByLabelText('Reason')).toBeValid();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Say why.')).toBeVisible();
  expect(screen.getByLabelText('Reason')).toHaveAccessibleDescription('Error: Say why.');
  expect(screen.getByLabelText('Reason')).toHaveFocus();
  expect(screen.getAllByRole('alert')).toHaveLength(1);
});

test('what the act would do stays in sight when its first field gets the focus', async () => {
  const focus = vi.spyOn(HTMLElement.prototype, 'focus');
  const dialog = (reasonLast: boolean) => (
    <ReasonDialog
      title="Act?"
      effect="It acts."
      label="Act"
      act={() => Promise.resolve('Done')}
      onDone={vi.fn()}
      onClose={vi.fn()}
      reasonLast={reasonLast}
    >
      {reasonLast && <input aria-label="Amount" />}
    </ReasonDialog>
  );
  for (const [reasonLast, first] of [
    [false, 'Reason'],
    [true, 'Amount'],
  ] as const) {
    const { unmount } = renderRoutes(dialog(reasonLast));
    const field = await screen.findByLabelText(first);
    await waitFor(() => expect(field).toHaveFocus());
    expect(focus.mock.calls[focus.mock.contexts.indexOf(field)]).toEqual([{ preventScroll: true }]);
    unmount();
  }
});

test('two clicks at once request one consent', async () => {
  let asked = 0;
  server.use(
    mock.post('/api/support/customers/c1/views', () => {
      asked += 1;
      return ok({ id: 'v1', expires_at: '2026-11-21T05:40:00Z' });
    }),
  );
  const { user } = renderRoutes(<ViewAs customer={{ id: 'c1', mobile: '9876543210' } as Customer} onClose={vi.fn()} />);
  await user.type(await screen.findByLabelText('Reason'), 'Cannot find it');
  const send = screen.getByRole('button', { name: 'Send the code' });
  fireEvent.click(send);
  fireEvent.click(send);
  expect(await screen.findByLabelText('Code')).toBeVisible();
  expect(asked).toBe(1);
});

test('the second of two clicks that opened the dialog, which falls beside it, leaves it open', async () => {
  const onClose = vi.fn();
  const act = () => Promise.resolve('Done');
  const { user } = renderRoutes(
    <ReasonDialog title="Act?" effect="It acts." label="Act" act={act} onDone={vi.fn()} onClose={onClose} />,
  );
  fireEvent.click(await screen.findByRole('dialog', { name: 'Act?' }));
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('whoever types before the dialog took the focus stays in that field', async () => {
  const act = vi.fn<(reason: string) => Promise<string>>().mockResolvedValue('Done');
  const soon: (() => void)[] = [];
  const { setTimeout: later } = window;
  vi.spyOn(window, 'setTimeout').mockImplementation(((run: () => void, delay?: number) =>
    delay === undefined ? soon.push(run) : later(run, delay)) as typeof later);
  renderRoutes(
    <ReasonDialog title="Act?" effect="It acts." label="Act" act={act} onDone={vi.fn()} onClose={vi.fn()} reasonLast>
      <label htmlFor="address">Address</label>
      <input id="address" className="input" />
    </ReasonDialog>,
  );
  await screen.findByRole('dialog');
  const reason = screen.getByLabelText('Reason');
  reason.focus();
  expect(soon.length).toBeGreaterThan(0);
  soon.forEach((run) => run());
  vi.restoreAllMocks();
  expect(reason).toHaveFocus();
});

test('a refusal that comes after the dialog is closed is reported', async () => {
  let refuse: (error: ApiError) => void = () => undefined;
  const act = () => new Promise<string>((_resolve, reject) => (refuse = reject));
  const { user, unmount } = renderRoutes(
    <ReasonDialog title="Act?" effect="It acts." label="Act" act={act} onClose={vi.fn()} />,
  );
  await user.type(await screen.findByLabelText('Reason'), 'Because{Enter}');
  const told = vi.spyOn(toast, 'error');
  unmount();
  refuse(new ApiError({ status: 409, message: 'A colleague did it.' }));
  await waitFor(() => expect(told).toHaveBeenCalledExactlyOnceWith('A colleague did it.'));
});

test('a reason outlives the end of the session for its writer, until the dialog is closed', async () => {
  const open = async (id: string) => {
    const view = renderRoutes(
      <ReasonDialog
        title="Act?"
        effect="It acts."
        label="Act"
        values={{ days: '3' }}
        act={() => Promise.reject(new ApiError({ status: 401 }))}
        onClose={vi.fn()}
      >
        <TextField name="days" label="Days" />
      </ReasonDialog>,
    );
    act(() => void view.queryClient.setQueryData(meQuery.queryKey, { ...me, id } as StaffMember));
    return { ...view, reason: await screen.findByLabelText('Reason'), days: screen.getByLabelText('Days') };
  };
  const first = await open('sunita');
  await first.user.type(first.days, '0');
  await first.user.type(first.reason, 'Because{Enter}');
  await screen.findByRole('alert');
  first.unmount();

  const other = await open('ravi');
  expect(other.reason).toHaveValue('');
  other.unmount();

  const again = await open('sunita');
  await waitFor(() => expect(again.reason).toHaveValue('Because'));
  expect(again.days).toHaveValue('3');
  await again.user.click(screen.getByRole('button', { name: 'Close' }));
  again.unmount();

  expect((await open('sunita')).reason).toHaveValue('');
});
