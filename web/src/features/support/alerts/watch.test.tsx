import { screen, waitFor, within } from '@testing-library/react';
import { type RequestHandler } from 'msw';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { keeping, mock, ok, refused, server } from '@/testing/server';
import { AlertsPage } from './alerts-page';
import { BooksCheckPage } from '../books/books-check-page';
import { me } from '../shell/console.fixture';
import { anAlert } from './watch.fixture';

function alerts(role: string, open = anAlert) {
  const bodies: unknown[] = [];
  server.use(
    mock.get('/api/support/me', () => ok({ ...me, role })),
    mock.get('/api/support/alerts', () => ok({ alerts: [open] })),
    mock.get('/api/support/alerts/history', () =>
      ok({
        alerts: [
          { ...anAlert, events: [{ kind: 'not_delivered', at: anAlert.opened_at, by: '', detail: 'slack: refused' }] },
        ],
      }),
    ),
    mock.get('/api/support/alerts/rules', () =>
      ok({
        channels: ['email', 'slack'],
        rules: [
          {
            name: 'hung_queue',
            measures: 'queues that hang',
            threshold: '45 s',
            setting: 'ALERT_BACKUP_MISSING',
            runbook: 'jobs',
            console: '/support/queues',
          },
        ],
      }),
    ),
    mock.post('/api/support/alerts/{id}/silence', keeping(bodies, null)),
  );
  return { ...renderRoutes(<AlertsPage />), bodies };
}

test('an alert that watches staff is silenced by admins alone', async () => {
  const trail = { ...anAlert, rule: 'audit_changed', admins_alone: true };
  const { unmount } = alerts('support', trail);
  expect(await screen.findByText('The audit trail was changed')).toBeVisible();
  expect(await screen.findByRole('button', { name: /^Take it on/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Silence/ })).toBeNull();
  unmount();
  alerts('admin', trail);
  expect(await screen.findByRole('button', { name: /^Silence/ })).toBeVisible();
});

test('an alert is silenced for a time, with a reason; rules say where they are delivered', async () => {
  const { user, bodies, container } = alerts('support');
  await user.click(await screen.findByRole('button', { name: /^Silence ?: The first of 2 jobs/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Silence: A queue waits too long' });
  await user.selectOptions(within(dialog).getByLabelText('For how long'), '4 hours');
  await user.type(within(dialog).getByLabelText('Reason'), 'The provider works on it');
  await user.click(within(dialog).getByRole('button', { name: 'Silence' }));
  await waitFor(() => expect(bodies).toEqual([{ minutes: 240, reason: 'The provider works on it' }]));
  expect(await screen.findByText('Alerts are delivered by e-mail, Slack.')).toBeVisible();
  expect(screen.getByRole('row', { name: /^A queue hangs queues that hang 45 s ALERT_BACKUP_MISSING/ })).toBeVisible();
  await user.click(screen.getByText(/^1 entry/));
  expect(screen.getByText(/Could not be delivered \(slack: refused\)/)).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('an auditor is not offered to act on an alert', async () => {
  alerts('auditor');
  expect(await screen.findByText(anAlert.message)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Silence|^Take it on/ })).toBeNull();
});

function books(last: object | null, role = 'finance', ...first: RequestHandler[]) {
  server.use(
    ...first,
    mock.get('/api/support/me', () => ok({ ...me, role })),
    mock.get('/api/support/books/checks', () =>
      ok({
        last,
        invariants: last
          ? [
              {
                name: 'clearing_never_overdrawn',
                title: 'No clearing account is overdrawn',
                findings: 21,
                rows: [{ subject: `payment ${me.id}`, detail: 'clearing -100' }],
                trend: [
                  { at: anAlert.opened_at, findings: 0 },
                  { at: anAlert.seen_at, findings: 21 },
                ],
              },
            ]
          : [],
      }),
    ),
    mock.get('/api/support/settlements', () =>
      ok({
        from: '2026-10-22',
        to: '2026-11-21',
        days: [],
        open_lines: [],
        open_differences: [],
        acknowledged_differences: [],
      }),
    ),
  );
  return renderRoutes(<BooksCheckPage />);
}

test('a rule that is broken says since when, and names the rows', async () => {
  const { container } = books({
    at: anAlert.seen_at,
    journals: 2,
    documents: 1,
    payments: 1,
    debit_paise: 100,
    credit_paise: 100,
    findings: 21,
  });
  expect(await screen.findByText(/The books are out of order: 21 findings/)).toBeVisible();
  const row = screen.getByRole('row', { name: /^No clearing account is overdrawn/ });
  expect(row).toHaveTextContent('21 findings');
  expect(row).toHaveTextContent('Broken in 1 of the last 2 checks');
  expect(row).toHaveTextContent('and 20 more');
  expect(within(row).getByRole('link')).toHaveAttribute('href', `/support/payments/${me.id}`);
  expect(await screen.findByText('No settlement was reported in these days.')).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('finance has the books checked now, and hears why they are not; support is not offered it', async () => {
  const { user } = books(null);
  server.use(mock.post('/api/support/books/checks/run', () => refused(409, 'Job 7 does this already.')));
  expect(await screen.findByText('Not checked yet')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Check now' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Reason'), 'An entry was corrected');
  await user.click(within(dialog).getByRole('button', { name: 'Check now' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('Job 7 does this already.');
});

test('support is not offered to check the books', async () => {
  books(null, 'support');
  expect(await screen.findByText('Not checked yet')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
});

test('a list that the role may not see says who may, without another try', async () => {
  const text = 'Your role may not see this. It is for support, auditors and admins.';
  books(
    null,
    'finance',
    mock.get('/api/support/books/checks', () => refused(403, { message: text, code: 'staff_role' })),
  );
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByText(/could not load/)).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument();
});
