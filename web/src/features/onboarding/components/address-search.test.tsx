import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { passTime } from '@/testing/pass-time';
import { accessibilityFaults } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { place, setup, uuid4 } from './address.fixture';

beforeEach(() => startSession(franchiserUser()));

describe('the search for a place', () => {
  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => vi.useRealTimers());

  const found = {
    attribution: 'Google Maps',
    'search-suggestions': ['Camp, Pune', 'Pune City, Pune'].map((description, index) => ({
      description,
      place_id: `p-${index}`,
    })),
  };

  it('starts one second after the last key, lower-cased, and not for nothing', async () => {
    const sent = answer('post', '/profile/search-address', found);
    const { user } = await setup();
    await user.type(screen.getByLabelText('Location'), ' PUNE');
    passTime(800);
    expect(sent.bodies).toEqual([]);
    passTime(300);
    expect(await screen.findByText('2 found')).toBeInTheDocument();
    expect(sent.bodies).toEqual([{ address: 'pune', session: expect.stringMatching(uuid4) as string }]);
    await user.clear(screen.getByLabelText('Location'));
    passTime(2000);
    expect(sent.bodies).toHaveLength(1);
  });

  it('is gone through by the keyboard and fills in what the place knows', async () => {
    const searched = answer('post', '/profile/search-address', found);
    const asked = answer('post', '/profile/coordinates', place);
    const { user, container } = await setup();
    await user.type(screen.getByLabelText('Location'), 'pune{Enter}');
    await screen.findByRole('option', { name: 'Camp, Pune' });
    expect(within(screen.getByRole('listbox', { name: 'Suggestions' })).getByText('Google Maps')).toBeVisible();
    expect(await accessibilityFaults(container)).toEqual([]);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    passTime(2000);
    expect(screen.getByLabelText('Location')).toHaveAttribute(
      'aria-activedescendant',
      screen.getByRole('option', { name: 'Pune City, Pune' }).id,
    );
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByLabelText('Pincode')).toHaveValue('411001'));
    const { session } = searched.bodies[0] as { session: string };
    expect(session).toMatch(uuid4);
    expect(asked.bodies).toEqual([{ placeId: 'p-1', session }]);
    expect(screen.getByLabelText('Location')).toHaveValue('Camp, Pune, Maharashtra 411001, India');
    expect(screen.getByLabelText('City')).toHaveValue('Pune');
    expect(screen.getByRole('combobox', { name: /^State/ })).toHaveTextContent('Maharashtra');
    await user.type(screen.getByLabelText('City'), '!');
    expect(screen.getByLabelText('City')).toHaveValue('Pune!');

    // the next search starts a new session
    await user.type(screen.getByLabelText('Location'), ' again{Enter}');
    await waitFor(() => expect(searched.bodies.length).toBeGreaterThan(1));
    const next = searched.bodies.at(-1) as { session: string };
    expect(next.session).toMatch(uuid4);
    expect(next.session).not.toBe(session);
  });

  it('closes by Esc and says where nothing was found', async () => {
    answer('post', '/profile/search-address', { 'search-suggestions': [] });
    const { user } = await setup();
    await user.type(screen.getByLabelText('Location'), 'zzzz{Enter}');
    expect(await screen.findByRole('option', { name: 'No Location Found' })).toBeInTheDocument();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('option', { name: 'No Location Found' })).not.toBeInTheDocument();
  });

  it('leaves the fields to be typed where it does not work', async () => {
    refuse('post', '/profile/search-address', 503);
    const { user } = await setup();
    await user.type(screen.getByLabelText('Location'), 'pune{Enter}');
    expect(await screen.findByText(/Please fill in the fields below yourself/)).toBeInTheDocument();
    expect(screen.getByLabelText('Location')).toHaveValue('pune');
  });
});
