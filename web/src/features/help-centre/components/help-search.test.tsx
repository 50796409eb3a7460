import { screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderRoutes } from '@/testing/render';
import * as index from '../search';
import { HelpSearch } from './help-search';

afterEach(() => vi.restoreAllMocks());

const FOUND = /found$|^Nothing found/;
const open = (query = '') =>
  renderRoutes([{ path: '/helpcenter', element: <HelpSearch /> }], { at: `/helpcenter${query}` });
const field = () => screen.getByRole('searchbox', { name: 'Search the help articles' });

test('typing finds articles and puts the words into the address', async () => {
  const { user, router } = open();
  expect(screen.queryByText(FOUND)).not.toBeInTheDocument();
  await user.type(field(), 'invoice');
  const results = within(await screen.findByRole('list', { name: 'Search results' }));
  const links = results.getAllByRole('link');
  expect(screen.getByText(FOUND)).toHaveTextContent(
    links.length === 1 ? /^1 article found$/ : `${links.length} articles found`,
  );
  for (const link of links) expect(link).toHaveAttribute('href', expect.stringMatching(/^\/helpcenter\/[a-z0-9-]+$/));
  expect(router.state.location.search).toBe('?q=invoice');
  await user.clear(field());
  expect(router.state.location.search).toBe('');
  expect(screen.queryByText(FOUND)).not.toBeInTheDocument();
});

test('a link with words in it opens on what they find', async () => {
  open('?q=domain');
  expect(await screen.findByRole('list', { name: 'Search results' })).toBeVisible();
  expect(field()).toHaveValue('domain');
});

test('shows a search without results as it was typed, with a link to contact us', async () => {
  const { user } = open();
  await user.type(field(), '<b>zzxqqy</b>');
  expect(await screen.findByText('Nothing found for “<b>zzxqqy</b>”.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'write to us' })).toHaveAttribute('href', '/contact?topic=support');
});

test('spaces alone search for nothing', async () => {
  const { user } = open();
  await user.type(field(), '   ');
  expect(screen.queryByText(FOUND)).not.toBeInTheDocument();
});

test('Enter opens the article where it is the only one, and nothing where there are several', async () => {
  const entry = (slug: string, title: string) => ({
    meta: { slug, title, summary: '' } as index.Entry['meta'],
    title: title.toLowerCase(),
    words: title.toLowerCase(),
    text: title,
  });
  vi.spyOn(index, 'loadEntries').mockResolvedValue([entry('pay', 'How to pay'), entry('pause', 'How to pause')]);
  const { user } = open();
  await user.type(field(), 'how to{Enter}');
  expect(await screen.findByText('2 articles found')).toBeVisible();
  await user.clear(field());
  await user.type(field(), 'pause{Enter}');
  expect(await screen.findByTestId('address')).toHaveTextContent('/helpcenter/pause');
});

test('where the words of the articles cannot be loaded it says so, and Retry finds them', async () => {
  const load = vi.spyOn(index, 'loadEntries').mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const { user } = open('?q=invoice');
  expect(await screen.findByText(/The search could not be loaded\./)).toBeVisible();
  expect(load).toHaveBeenCalledTimes(1);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('list', { name: 'Search results' })).toBeVisible();
  expect(screen.queryByText(/could not be loaded/)).not.toBeInTheDocument();
});
