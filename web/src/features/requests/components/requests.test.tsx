import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, mock, ok, refuse, refused, server } from '@/testing/server';
import { RequestPage } from './request-page';
import { RequestsPage } from './requests-page';

const id = '019ae0c2-9f00-7a11-8f00-4b1d2c3e5141';

const row = {
  id,
  topic: 'billing',
  state: 'waiting',
  message: 'Why two debits?',
  created_at: '2026-11-20T05:30:00Z',
  wrote_at: '2026-11-21T05:30:00Z',
};

const message = {
  id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5142',
  mine: true,
  channel: 'email',
  sender: '',
  text: 'Why two debits?',
  quoted: '',
  at: '2026-11-21T05:30:00Z',
  files: [],
};

const list = [{ path: 'requests', element: <RequestsPage /> }];
const thread = [{ path: 'requests/:id', element: <RequestPage /> }];
const onePage = { current_page: 1, last_page: 1, next_page_url: null, per_page: 20, total: 1 };

test('lists the requests with their state, and narrows them to one state', async () => {
  const { requests } = answer('get', '/requests', [row], '', onePage);
  const { container, user } = renderRoutes(list);
  const link = await screen.findByRole('link', { name: /Payments and invoices.*Waiting for you.*Why two debits/ });
  expect(link).toHaveAttribute('href', `/requests/${id}`);
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.selectOptions(screen.getByLabelText('State'), 'Answered');
  await expect.poll(() => requests.at(-1)?.url).toContain('state=answered');
});

test('without a request the page says so, and a new one leads to its messages', async () => {
  answer('get', '/requests', [], '', { ...onePage, total: 0 });
  const { bodies, requests } = answer('post', '/requests', { id });
  const { user } = renderRoutes(list);
  expect(await screen.findByText('You have not written to us yet.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'New request' }));
  const form = screen.getByRole('form', { name: 'New request' });
  await user.click(within(form).getByRole('button', { name: 'Send the request' }));
  expect(within(form).getByText('Write a message.')).toBeVisible();
  expect(bodies).toEqual([]);
  await user.selectOptions(within(form).getByLabelText('What is it about?'), 'Payments and invoices');
  await user.type(within(form).getByLabelText('Message'), 'Why two debits?');
  await user.click(within(form).getByRole('button', { name: 'Send the request' }));
  expect(await screen.findByTestId('address')).toHaveTextContent(`/requests/${id}`);
  expect(bodies).toEqual([{ topic: 'billing', message: 'Why two debits?', files: [] }]);
  expect(requests[0]?.headers.get('Idempotency-Key')).toBeTruthy();
});

test('a list that cannot be loaded can be tried again', async () => {
  refuse('get', '/requests', 503, { message: 'Try again.' });
  renderRoutes(list);
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
});

test('shows the messages of a request in order, who wrote them, and sends an answer', async () => {
  const other = {
    ...message,
    id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5143',
    text: 'Any news?',
    sender: 'other@example.in',
    quoted: 'Why two debits?',
  };
  const ours = {
    ...message,
    id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5144',
    mine: false,
    channel: 'account',
    text: 'Which day was the second?',
    files: [{ id: '019ae0c2-9f00-7a11-8f00-4b1d2c3e5145', name: 'receipt.pdf', size: 2048 }],
  };
  answer('get', '/requests/{id}', { request: row, messages: [message, other, ours] });
  const { bodies } = answer('post', '/requests/{id}/messages', null);
  const { container, user } = renderRoutes(thread, { at: `/requests/${id}` });
  expect(await screen.findByRole('heading', { level: 1, name: 'Payments and invoices' })).toBeVisible();
  const [first, second, third] = [...screen.getByRole('list', { name: 'Messages' }).children];
  expect(first).toHaveTextContent(/You.*by e-mail.*Why two debits/);
  expect(second).toHaveTextContent(/another address, other@example\.in/);
  expect(third).toHaveTextContent(/Franchise 360.*Which day was the second/);
  expect(screen.getByRole('button', { name: 'receipt.pdf' })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.type(screen.getByLabelText('Message'), 'On Monday.');
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  expect(await screen.findByText('Your message is sent.')).toBeVisible();
  expect(bodies).toEqual([{ message: 'On Monday.', files: [] }]);
  expect(screen.getByLabelText('Message')).toHaveValue('');
});

test('a refused answer is explained and keeps its text', async () => {
  answer('get', '/requests/{id}', { request: { ...row, state: 'closed' }, messages: [message] });
  refuse('post', '/requests/{id}/messages', 422, { message: 'Please leave out links.' });
  const { user } = renderRoutes(thread, { at: `/requests/${id}` });
  expect(await screen.findByText(/This request is closed/)).toBeVisible();
  await user.type(screen.getByLabelText('Message'), 'On Monday.');
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  expect(await screen.findByText('Please leave out links.')).toBeVisible();
  expect(screen.getByLabelText('Message')).toHaveValue('On Monday.');
});

/** The upload of a file, which is answered once `arrived`. */
const uploaded = (arrived: () => Promise<unknown>) =>
  mock.post('/request-files', async ({ request }) => {
    await arrived();
    const name = new URL(request.url).searchParams.get('name');
    return ok({ id: `id-${name}`, name: name ?? '', content_type: 'application/pdf', size: 4 });
  });

test('a refused file holds the message back, beside the field and by name, until it is removed', async () => {
  answer('get', '/requests/{id}', { request: row, messages: [message] });
  const { bodies } = answer('post', '/requests/{id}/messages', null);
  server.use(
    mock.post('/request-files', () => refused(422, { message: 'Choose a PDF, a picture or a plain text file.' })),
  );
  const { container, user } = renderRoutes(thread, { at: `/requests/${id}` });
  await user.type(await screen.findByLabelText('Message'), 'See the list.');
  const anyFile = userEvent.setup({ applyAccept: false });
  await anyFile.upload(screen.getByLabelText('Files (optional)'), new File(['PK'], 'prices.xlsx'));
  const unsent = within(await screen.findByRole('list', { name: 'Files that are not added' }));
  expect(unsent.getByRole('listitem')).toHaveTextContent(
    'prices.xlsx is not added. Choose a PDF, a picture or a plain text file.',
  );
  expect(screen.getByLabelText('Files (optional)')).toBeInvalid();
  expect(screen.getByLabelText('Message')).toBeValid();
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Your message is not sent yet. Remove prices.xlsx to send it without this file.',
  );
  expect(screen.getByLabelText('Files (optional)')).toHaveAccessibleDescription(/prices\.xlsx/);
  expect(await accessibilityFaults(container)).toEqual([]);
  expect(bodies).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove prices.xlsx' }));
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  await expect.poll(() => bodies).toEqual([{ message: 'See the list.', files: [] }]);
});

test('a file that is too large, and each file after the fifth, is named', async () => {
  answer('get', '/requests/{id}', { request: row, messages: [message] });
  server.use(uploaded(() => Promise.resolve()));
  const { user } = renderRoutes(thread, { at: `/requests/${id}` });
  const large = new File(['x'], 'scan.pdf');
  Object.defineProperty(large, 'size', { value: 6 * 1024 * 1024 });
  await user.upload(await screen.findByLabelText('Files (optional)'), [
    large,
    ...['1', '2', '3', '4', '5', '6'].map((name) => new File(['%PDF'], `${name}.pdf`)),
  ]);
  const unsent = within(await screen.findByRole('list', { name: 'Files that are not added' }));
  await expect
    .poll(() => unsent.getAllByRole('listitem').map((one) => one.textContent.replace(/Remove.*/, '')))
    .toEqual(['scan.pdf is not added. It is larger than 5 MB.', '6.pdf is not added. Add at most five files.']);
});

test('a message waits for its files', async () => {
  answer('get', '/requests/{id}', { request: row, messages: [message] });
  const { bodies } = answer('post', '/requests/{id}/messages', null);
  let arrive = () => undefined as unknown;
  const arrived = new Promise((resolve) => (arrive = () => resolve(null)));
  server.use(uploaded(() => arrived));
  const { user } = renderRoutes(thread, { at: `/requests/${id}` });
  await user.type(await screen.findByLabelText('Message'), 'See the bill.');
  await user.upload(screen.getByLabelText('Files (optional)'), new File(['%PDF'], 'bill.pdf'));
  const send = screen.getByRole('button', { name: 'Send message' });
  await user.type(screen.getByLabelText('Message'), '!');
  await user.click(send);
  expect(await screen.findByText(/Uploading bill\.pdf…/)).toBeVisible();
  expect(bodies).toEqual([]);
  arrive();
  await expect.poll(() => send.getAttribute('aria-busy')).toBeNull();
  await user.click(send);
  await expect.poll(() => bodies).toEqual([{ message: 'See the bill.!', files: ['id-bill.pdf'] }]);
});
