import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { AnnouncementSlot } from './announcement-slot';

const network = vi.hoisted(() => ({ up: false }));

vi.mock('@/domain/announcement/announcement', () => ({
  get Announcement() {
    if (!network.up) throw new Error('Unable to preload CSS');
    return () => <p>We are closed on Monday.</p>;
  },
}));

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('an announcement that cannot be loaded leaves the page alone, and comes once the network is back', async () => {
  vi.useFakeTimers();
  render(
    <MemoryRouter>
      <p>The page</p>
      <AnnouncementSlot />
    </MemoryRouter>,
  );
  await pass(2000);
  expect(screen.getByText('The page')).toBeInTheDocument();
  expect(screen.queryByText('We are closed on Monday.')).not.toBeInTheDocument();
  network.up = true;
  window.dispatchEvent(new Event('online'));
  await pass(0);
  expect(screen.getByText('We are closed on Monday.')).toBeInTheDocument();
  vi.useRealTimers();
});
