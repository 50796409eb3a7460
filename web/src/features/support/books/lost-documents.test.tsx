import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { mock, ok, refused, server } from '@/testing/server';
import { me } from '../shell/console.fixture';
import { LostDocuments } from './lost-documents';

const lost = (count: number, different = 0) => ({
  count,
  different,
  since: count > 0 ? '2026-11-21T05:30:00Z' : null,
  checked_at: null,
});

function open(answer: () => Response) {
  server.use(
    mock.get('/api/support/me', () => ok(me)),
    mock.get('/api/support/documents/lost', answer),
  );
  return renderRoutes([
    {
      path: 'support',
      element: (
        <>
          <h1>Support</h1>
          <LostDocuments />
        </>
      ),
    },
  ]);
}

test('lost documents are counted and rendered again for a reason, once however often it is sent', async () => {
  const asked: [string | null, unknown][] = [];
  server.use(
    mock.post('/api/support/documents/restore', async ({ request }) => {
      asked.push([request.headers.get('Idempotency-Key'), await request.json()]);
      if (asked.length === 1) return refused(503, 'Please try again.');
      return ok({ message: '1,200 documents are rendered again.', job_id: 7 });
    }),
  );
  const { user, container } = open(() => ok(lost(1200, 3)));
  const section = await screen.findByRole('region', { name: 'Lost documents' });
  expect(section).toHaveTextContent('1,200 documents are missing from the object store');
  expect(section).toHaveTextContent('3 of them came out with other bytes');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(await within(section).findByRole('button', { name: 'Render again' }));
  const dialog = screen.getByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Render them again' }));
  expect(asked).toHaveLength(0);
  await user.type(within(dialog).getByRole('textbox'), 'After a restore');
  await user.click(within(dialog).getByRole('button', { name: 'Render them again' }));
  expect(await within(dialog).findByText('Please try again.')).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Render them again' }));
  expect(await screen.findByText('1,200 documents are rendered again.')).toBeVisible();
  expect(asked.map(([, body]) => body)).toEqual([{ reason: 'After a restore' }, { reason: 'After a restore' }]);
  expect(asked[0]?.[0]).toBeTruthy();
  expect(asked[1]?.[0]).toBe(asked[0]?.[0]);
});

test('nothing is shown while none is lost, and a failure says so', async () => {
  let down = true;
  const { user } = open(() => (down ? refused(503, 'down') : ok(lost(0))));
  const failure = await screen.findByRole('alert');
  expect(failure).toHaveTextContent('We could not load the lost documents.');
  down = false;
  await user.click(within(failure).getByRole('button', { name: 'Retry' }));
  await expect.poll(() => screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByRole('region', { name: 'Lost documents' })).not.toBeInTheDocument();
});
