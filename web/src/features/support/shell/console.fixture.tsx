import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { mock, ok, page, server } from '@/testing/server';
import { ConsoleFrame } from './console-frame';
import { CustomerPage } from '../customers/customer-page';
import { JobsPage } from '../jobs/jobs-page';
import { SupportLoginPage } from '../staff/login-page';
import { SearchPage } from './search-page';

export const customerId = '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50';
export const routes = [
  { path: 'support/login', element: <SupportLoginPage /> },
  {
    element: <ConsoleFrame />,
    children: [
      { path: 'support', element: <h1>Home</h1> },
      { path: 'support/search', element: <SearchPage /> },
      { path: 'support/jobs', element: <JobsPage /> },
      { path: 'support/customers/:id', element: <CustomerPage /> },
    ],
  },
];
export const me = { id: customerId, name: 'Sunita', email: 'sunita@example.in', role: 'support' };

/** Answers the requests of the failed-jobs page with empty lists. */
export const noJobs = [
  mock.get('/api/support/saved-views', () => ok({ views: [] })),
  mock.get('/api/support/jobs', () => ok({ jobs: [], first: '', next: '' })),
  mock.get('/api/support/jobs/summary', () =>
    ok({ total: 0, newer: 0, groups: [], facets: [], bars: [], step_seconds: 60 }),
  ),
  mock.get('/api/support/jobs/operations', () => ok({ operations: [] })),
];

export function signedIn() {
  server.use(
    mock.get('/api/support/alerts', () => ok({ alerts: [] })),
    mock.get('/api/support/work', () => ok({ groups: [] })),
    mock.get('/api/support/saved-views', () => ok({ views: [] })),
    mock.get('/api/support/me', () => ok(me)),
    ...(['contacts', 'deliveries'] as const).map((list) => mock.get(`/api/support/${list}`, () => page([]))),
    mock.get('/api/support/presence', () => ok({ known: true, pages: [] })),
    mock.post('/api/support/presence', () => ok({ known: true, pages: [] })),
  );
}

export const typedProof = { current_password: 'Mangoes#2027', current_code: '123456' };

/** Enters password and code in the open dialog, and sends it. */
export async function typeProof(user: UserEvent) {
  await user.type(screen.getByLabelText('Current password'), typedProof.current_password);
  await user.type(screen.getByLabelText('Current code of your authenticator app'), '123 456{Enter}');
}
