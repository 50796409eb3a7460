import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { linked } from '../api/runbooks';
import { RunbookPage } from './runbook-page';

const open = (name: string) =>
  renderRoutes([{ path: 'support/runbooks/:name', element: <RunbookPage /> }], { at: `/support/runbooks/${name}` });

test('shows a runbook, whose links to others lead to their pages', async () => {
  open('codes');
  expect(await screen.findByRole('heading', { level: 1, name: 'One-time codes are late or missing' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'no-workers' })).toHaveAttribute('href', '/support/runbooks/no-workers');
  expect(screen.queryByRole('link', { name: 'register' })).not.toBeInTheDocument();
});

test('a runbook of another release is not found', async () => {
  open('nothing');
  expect(await screen.findByRole('heading', { level: 1, name: 'There is no such runbook' })).toBeVisible();
});

test('a link to another file of the repository is plain text', () => {
  expect(linked('<a href="../a.md#b">limit</a> <a href="https://a.example">out</a>')).toBe(
    'limit <a href="https://a.example">out</a>',
  );
});
