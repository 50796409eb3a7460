import { screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { toastsAtom } from '@/lib/toast';
import type { ContactOpened } from '../api/contacts';
import { contact, id, opened } from './contacts.fixture';
import { ContactRequestPage } from './contact-page';
import { MacrosPage } from './macros-page';

function setup(found: Partial<ContactOpened> = {}, role = 'support', known = true) {
  const sent: [string, unknown][] = [];
  const note = async (request: Request) => {
    sent.push([new URL(request.url).pathname.replace(/.*\/contacts\/[^/]+/, ''), await request.json()]);
    return ok(null);
  };
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Sunita', email: 'sunita@example.in', role })),
    mock.get('/api/support/contacts/{id}', () => ok({ ...opened, ...found })),
    mock.post('/api/support/contacts/{id}', ({ request }) => note(request)),
    mock.post('/api/support/contacts/{id}/owner', ({ request }) => note(request)),
    mock.post('/api/support/contacts/{id}/entries', ({ request }) => note(request)),
    mock.post('/api/support/presence', () =>
      ok({ known, pages: known ? [{ page: `contact:${id}`, names: ['Priya'] }] : [] }),
    ),
  );
  const routes = [{ path: 'support/contacts/:id', element: <ContactRequestPage /> }];
  return { sent, ...renderRoutes(routes, { at: `/support/contacts/${id}` }) };
}

test('a request shows its thread, who looks at it, and what became of each reply', async () => {
  const entry = { ...opened.entries[0]!, channel: 'email' as const, author: 'Sunita' };
  const { container } = setup({
    request: { ...contact, customer_id: 'c1', customer: 'Royal Sweets' },
    entries: [
      ...opened.entries,
      { ...entry, id: 'e1', kind: 'reply', text: 'Sent anew.', sent_at: contact.created_at },
      { ...entry, id: 'e2', kind: 'reply', text: 'And again.', failure: 'the address is refused' },
      { ...entry, id: 'e4', kind: 'reply', text: 'A third.', sent_at: contact.created_at, failure: 'WhatsApp is slow' },
      { ...entry, id: 'e3', kind: 'answer', channel: 'staff', text: 'It came.' },
    ],
  });
  const thread = await screen.findByRole('list', { name: 'Thread' });
  const [first, sent, failed, otherwise, answered] = within(thread).getAllByRole('listitem');
  expect(first).toHaveTextContent('My invoice lacks the GSTIN.');
  expect(sent).toHaveTextContent(/Reply Sunita · e-mail · .* sent/);
  expect(failed).toHaveTextContent('not sent: the address is refused');
  expect(otherwise).toHaveTextContent(/sent .* by e-mail, because WhatsApp is slow/);
  expect(answered).toHaveTextContent('What the person answered');
  expect(await screen.findByText('Priya is looking at this too.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Royal Sweets' })).toHaveAttribute('href', '/support/customers/c1');
  expect(screen.getByRole('link', { name: '+91 98765 43210' })).toHaveAttribute('href', '/support/customers/c1');
  expect(screen.getByText(/anybody could have typed/)).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('the page says how many messages the guard against floods holds', async () => {
  const entry = { ...opened.entries[0]!, channel: 'email' as const, kind: 'held' as const };
  setup({ entries: [...opened.entries, { ...entry, id: 'e1' }, { ...entry, id: 'e2' }] });
  expect(await screen.findByText(/^2 messages are held: too many came within an hour/)).toBeVisible();
  expect(screen.getAllByText('Held message of the person')).toHaveLength(2);
});

test('a saved reply is inserted, and goes with where it leads', async () => {
  const { sent, user } = setup();
  await user.selectOptions(await screen.findByLabelText('Saved reply'), 'Of the account');
  expect(screen.getByText('Nothing is known for {customer}: fill it in by hand.')).toBeVisible();
  await user.clear(screen.getByLabelText('Text'));
  await user.click(screen.getByRole('button', { name: 'Send the reply' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Write something.');
  expect(sent).toEqual([]);
  await user.selectOptions(screen.getByLabelText('Saved reply'), 'How to pay');
  await user.selectOptions(screen.getByLabelText('After it the request is'), 'waiting');
  await user.click(screen.getByRole('button', { name: 'Send the reply' }));
  await waitFor(() =>
    expect(sent).toEqual([
      ['/entries', { kind: 'reply', text: 'Dear Meera, you pay by UPI.', then: 'waiting', seen: 1 }],
    ]),
  );
  await waitFor(() => expect(screen.getByLabelText('Text')).toHaveValue(''));
});

test('a reply has the files that staff uploaded', async () => {
  const { sent, user } = setup();
  server.use(
    mock.post('/api/support/contact-files', ({ request }) => {
      expect(new URL(request.url).searchParams.get('name')).toBe('bill.pdf');
      return ok({ id: 'f1', name: 'bill.pdf', content_type: 'application/pdf', size: 2048 });
    }),
  );
  await user.upload(await screen.findByLabelText('Files (optional)'), new File(['%PDF-1.7'], 'bill.pdf'));
  expect(await screen.findByRole('list', { name: 'Added files' })).toHaveTextContent('bill.pdf 2 KB');
  await user.type(screen.getByLabelText('Text'), 'See the bill.');
  await user.click(screen.getByRole('button', { name: 'Send the reply' }));
  await waitFor(() =>
    expect(sent).toEqual([
      ['/entries', { kind: 'reply', text: 'See the bill.', then: 'answered', seen: 1, files: ['f1'] }],
    ]),
  );
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Added files' })).toBeNull());
});

test('a request is claimed, and moves with a reason', async () => {
  const { sent, user } = setup({}, 'support', false);
  await user.click(await screen.findByRole('button', { name: 'Claim' }));
  await waitFor(() => expect(sent).toEqual([['/owner', { owner_id: 's1', take_over: true }]]));
  expect(await screen.findByText(/cannot tell at the moment/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Set to closed' }));
  const dialog = await screen.findByRole('dialog', { name: 'The request of Meera Nair' });
  await user.type(within(dialog).getByLabelText('Reason'), 'Needs no answer');
  await user.click(within(dialog).getByRole('button', { name: 'Set to closed' }));
  await waitFor(() => expect(sent.at(-1)).toEqual(['', { state: 'closed', reason: 'Needs no answer' }]));
});

test('without e-mail, staff can only note a reply; an auditor has no buttons', async () => {
  const { unmount } = setup({
    way: { channel: '', why: 'E-mail is not set up. Answer by phone, and note what you said.', until: null },
  });
  expect(await screen.findByText(/E-mail is not set up/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Call +91 98765 43210' })).toHaveAttribute('href', 'tel:+919876543210');
  expect(screen.queryByRole('option', { name: 'Reply' })).toBeNull();
  unmount();
  setup({}, 'auditor');
  expect(await screen.findByText('Assigned to nobody.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Set to/ })).toBeNull();
});

test('an admin saves a reply, and reads which placeholder is unknown', async () => {
  const macro = { id: 'm1', title: 'How to pay', text: 'By UPI.', changed_by: 'Ravi', changed_at: contact.created_at };
  server.use(
    mock.get('/api/support/me', () => ok({ id: 's1', name: 'Ravi', email: 'ravi@example.in', role: 'admin' })),
    mock.get('/api/support/contact-macros', () => ok({ macros: [macro], placeholders: ['name', 'reference'] })),
    mock.post('/api/support/contact-macros', () =>
      refused(422, {
        message: 'Check it.',
        code: 'invalid',
        request_id: 'r',
        messages: { text: ['There is no placeholder {nick}.'] },
      }),
    ),
  );
  const { user, container } = renderRoutes([{ path: 'support/contact-macros', element: <MacrosPage /> }], {
    at: '/support/contact-macros',
  });
  expect(await screen.findByRole('heading', { name: 'How to pay' })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Save a reply' }));
  const dialog = await screen.findByRole('dialog', { name: 'Save a reply' });
  expect(dialog).toHaveTextContent('{name}, {reference}');
  await user.type(within(dialog).getByLabelText('Title'), 'Hello');
  await user.type(within(dialog).getByLabelText('Text'), 'Dear {{nick}');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await within(dialog).findByText('There is no placeholder {nick}.')).toBeVisible();
});

test('finance answers a request, and gives it to a colleague', async () => {
  const { sent, user } = setup({}, 'finance');
  expect(await screen.findByRole('button', { name: 'Send the reply' })).toBeVisible();
  expect(screen.getByRole('option', { name: 'Priya (finance)' })).toBeInTheDocument();
  await user.selectOptions(screen.getByLabelText('Assigned to'), 'Priya (finance)');
  await waitFor(() => expect(sent).toEqual([['/owner', { owner_id: 's2', take_over: true }]]));
  await waitFor(() =>
    expect(
      getDefaultStore()
        .get(toastsAtom)
        .map(({ message }) => message),
    ).toContain('Assigned to Priya.'),
  );
  expect(screen.getByText('Payments and invoices')).toBeVisible();
});
