import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { server } from '@/testing/server';
import { ConsoleFrame } from './console-frame';
import { CustomerPage } from '../customers/customer-page';
import { JobsPage } from '../jobs/jobs-page';
import { SupportLoginPage } from '../staff/login-page';

export const customerId = '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50';
export const routes = [
  { path: 'support/login', element: <SupportLoginPage /> },
  {
    element: <ConsoleFrame />,
    children: [
      { path: 'support', element: <h1>Home</h1> },
      { path: 'support/jobs', element: <JobsPage /> },
      { path: 'support/customers/:id', element: <CustomerPage /> },
    ],
  },
];
export const me = { id: customerId, name: 'Sunita', email: 'sunita@example.in', role: 'support' };
export const ok = (data: object) => HttpResponse.json({ status: true, message: '', data });
export const refused = (status: number, message: string) =>
  HttpResponse.json({ status: false, message, code: 'refused', request_id: 'r' }, { status });

/** Answers the requests of the failed-jobs page with empty lists. */
export const noJobs = [
  http.get('*/api/support/saved-views', () => ok({ views: [] })),
  http.get('*/api/support/jobs', () => ok({ jobs: [], first: '', next: '' })),
  http.get('*/api/support/jobs/summary', () =>
    ok({ total: 0, newer: 0, groups: [], facets: [], bars: [], step_seconds: 60 }),
  ),
  http.get('*/api/support/jobs/operations', () => ok({ operations: [] })),
];

export function signedIn() {
  server.use(
    http.get('*/api/support/alerts', () => ok({ alerts: [] })),
    http.get('*/api/support/work', () => ok({ groups: [] })),
    http.get('*/api/support/saved-views', () => ok({ views: [] })),
    http.get('*/api/support/me', () => ok(me)),
    ...['contacts', 'deliveries'].map((list) =>
      http.get(`*/api/support/${list}`, () =>
        HttpResponse.json({
          status: true,
          message: '',
          data: [],
          current_page: 1,
          last_page: 1,
          next_page_url: null,
          per_page: 10,
          total: 0,
        }),
      ),
    ),
    http.get('*/api/support/presence', () => ok({ known: true, pages: [] })),
    http.post('*/api/support/presence', () => ok({ known: true, pages: [] })),
  );
}

export const typedProof = { current_password: 'Mangoes#2027', current_code: '123456' };

/** Enters password and code in the open dialog, and sends it. */
export async function typeProof(user: UserEvent) {
  await user.type(screen.getByLabelText('Current password'), typedProof.current_password);
  await user.type(screen.getByLabelText('Current code of your authenticator app'), '123 456{Enter}');
}
