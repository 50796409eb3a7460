import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getSession, startSession } from '@/lib/session/session';
import { franchiserUser } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { AddressPage } from './address-page';

const saved = {
  id: 'a-1',
  address: '12/4',
  street: 'Sunrise Towers',
  landmark: 'City Mall',
  country_id: 'IN',
  state_id: '27',
  city_id: '27-pune',
  country: 'India',
  state: 'Maharashtra',
  city: 'Pune',
  zipcode: '411001',
  latitude: null,
  longitude: null,
  location: 'Camp, Pune',
  legal_name: null,
  gstin: null,
};
const place = {
  address_components: [
    { types: ['postal_code'], long_name: '411001' },
    { types: ['locality'], long_name: 'Pune' },
    { types: ['administrative_area_level_1'], long_name: 'Maharashtra' },
    { types: ['country'], long_name: 'India' },
  ],
  geometry: { location: { lat: 18.52, lng: 73.85 } },
  formatted_address: 'Camp, Pune, Maharashtra 411001, India',
  country_id: 'IN',
  state_id: '27',
  city_id: '27-pune',
};

function lists() {
  answer('get', '/country', [{ id: 'IN', name: 'India' }]);
  answer('get', '/state/{id}', [
    { id: '27', name: 'Maharashtra' },
    { id: '29', name: 'Karnataka' },
    { id: '07', name: 'Delhi' },
    { id: '33', name: 'Tamil Nadu' },
  ]);
  answer('get', '/city/{id}', [
    { id: '27-pune', name: 'Pune' },
    { id: '27-mumbai', name: 'Mumbai' },
  ]);
}

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function setup(at = '/store-details/address', existing: object[] = [], state?: object) {
  lists();
  answer('get', '/profile/address/{id}', existing as never);
  const view = renderRoutes([{ path: 'store-details/address', element: <AddressPage /> }], { at, state });
  await screen.findByLabelText('Location');
  return view;
}

type View = Awaited<ReturnType<typeof setup>>;

const lines = {
  Location: 'Camp, Pune',
  'House number and floor': '12/4, Second floor',
  'Building and block': 'Sunrise Towers',
  Landmark: 'Opp. City Mall',
  Pincode: '411 001',
  City: 'Pune',
  'Name for the invoice': 'Asha Sweets',
};

async function chooseState({ user }: View, name = 'Maharashtra') {
  await user.click(screen.getByRole('combobox', { name: /^State/ }));
  await user.click(await screen.findByRole('option', { name }));
}

async function fill(view: View, change: Record<string, string> = {}) {
  await chooseState(view);
  for (const [label, value] of Object.entries({ ...lines, ...change }))
    if (value) await view.user.type(screen.getByLabelText(label), value);
}

const save = ({ user }: View) => user.click(screen.getByRole('button', { name: 'Save and continue' }));

beforeEach(() => startSession(franchiserUser()));

describe('the business address', () => {
  // Typing slowly enough starts the search, which these tests are not about.
  beforeEach(() => void answer('post', '/profile/search-address', { 'search-suggestions': [] }));

  it('breaks no accessibility rule, empty and with errors', async () => {
    const view = await setup();
    expect(await accessibilityFaults(view.container)).toEqual([]);
    await save(view);
    await screen.findByRole('alert');
    expect(await accessibilityFaults(view.container)).toEqual([]);
  });

  it('says what is missing, in the words of the field', async () => {
    const view = await setup();
    await save(view);
    const summary = await screen.findByRole('alert');
    expect(
      within(summary)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual([
      'Location: This field can not be empty.',
      'House number and floor: This field can not be empty.',
      'Building and block: This field can not be empty.',
      'Landmark: This field can not be empty.',
      'Pincode can not be empty.',
      'State: This field can not be empty.',
      'City: This field can not be empty.',
      'Name for the invoice: This field can not be empty.',
    ]);
    await view.user.click(within(summary).getByRole('link', { name: /^State/ }));
    expect(screen.getByRole('combobox', { name: /^State/ })).toHaveFocus();
  });

  it.each([
    ['House number and floor', '1', '2 characters required atleast'],
    ['House number and floor', '12 <b>', "Please use letters, digits, spaces and / , . - ' : ; only"],
    ['Building and block', 'B'.repeat(51), 'Please use at most 50 characters'],
    ['City', 'P'.repeat(26), 'Please use at most 25 characters'],
    ['Name for the invoice', 'asha@example.in', 'An e-mail address is no name for an invoice'],
    ['Pincode', '41100', 'Please enter valid pincode'],
    ['Pincode', '011001', 'Invalid: a pincode does not start with 0'],
  ])('judges the %s "%s" and keeps the input', async (label, value, message) => {
    const view = await setup();
    await fill(view, { [label]: value });
    await save(view);
    await waitFor(() =>
      expect(screen.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(`Error: ${message}`)),
    );
    expect(screen.getByLabelText(label)).toHaveValue(value);
  });

  it('is typed by hand, saved, and leads to the plans', async () => {
    const sent = answer('post', '/profile/address', saved, 'Business address saved.');
    const view = await setup();
    await fill(view);
    await save(view);
    expect(await screen.findByTestId('address')).toHaveTextContent('/pricing');
    expect(sent.bodies).toEqual([
      {
        location: 'Camp, Pune',
        latitude: null,
        longitude: null,
        address: '12/4, Second floor',
        street: 'Sunrise Towers',
        landmark: 'Opp. City Mall',
        country_id: 'IN',
        state_id: '27',
        city_id: '27-pune',
        zipcode: '411001',
        legal_name: 'Asha Sweets',
        gstin: null,
      },
    ]);
    expect(getSession().user?.has_address).toBe(true);
  });

  it('takes a town that the list lacks by its name', async () => {
    const sent = answer('post', '/profile/address', saved);
    const view = await setup();
    await fill(view, { City: 'Panchgani' });
    await save(view);
    await waitFor(() => expect(sent.bodies).toEqual([expect.objectContaining({ city_id: 'Panchgani' })]));
  });

  it('leads back to the screen that asked for it', async () => {
    answer('post', '/profile/address', saved);
    const view = await setup('/store-details/address?return=%2Fplan%2Fgrowth%2Fannual%2F1');
    await fill(view);
    await save(view);
    expect(await screen.findByTestId('address')).toHaveTextContent('/plan/growth/annual/1');
  });

  it('checks the GSTIN and its State', async () => {
    const view = await setup();
    await fill(view);
    await view.user.type(screen.getByLabelText(/^GSTIN/), '27AAPFU0939F1ZX');
    await save(view);
    await waitFor(() =>
      expect(screen.getByLabelText(/^GSTIN/)).toHaveAccessibleDescription(
        expect.stringContaining('Error: Please enter a valid GSTIN of 15 characters'),
      ),
    );
    await view.user.clear(screen.getByLabelText(/^GSTIN/));
    await view.user.type(screen.getByLabelText(/^GSTIN/), '27aapfu0939f1zv');
    await chooseState(view, 'Karnataka');
    await save(view);
    await waitFor(() =>
      expect(screen.getByLabelText(/^GSTIN/)).toHaveAccessibleDescription(
        expect.stringContaining('Error: The first two digits of the GSTIN do not belong to this State'),
      ),
    );
  });

  it('says at the name why a payment led here', async () => {
    await setup('/store-details/address?return=%2Fpricing', [saved], {
      objections: { legal_name: ['Write your company’s legal name, or your own first and last name.'] },
    });
    const name = screen.getByLabelText('Name for the invoice');
    await waitFor(() =>
      expect(name).toHaveAccessibleDescription(
        expect.stringContaining('Error: Write your company’s legal name, or your own first and last name.'),
      ),
    );
    expect(name).toBeInvalid();
  });

  it('puts the server’s objections on their fields', async () => {
    refuse('post', '/profile/address', 422, {
      messages: { zipcode: ['This pincode lies in another State.'], city_id: ['Choose a city.'] },
    });
    const view = await setup();
    await fill(view);
    await save(view);
    await waitFor(() =>
      expect(screen.getByLabelText('Pincode')).toHaveAccessibleDescription(
        'Error: This pincode lies in another State.',
      ),
    );
    expect(screen.getByLabelText('City')).toHaveAccessibleDescription(/Choose a city\./);
  });

  it('keeps what was typed through a reload', async () => {
    const view = await setup();
    await fill(view);
    view.unmount();
    await setup();
    expect(screen.getByLabelText('Building and block')).toHaveValue('Sunrise Towers');
  });

  it('shows a failed load with a way to try again', async () => {
    lists();
    refuse('get', '/profile/address/{id}', 500, { request_id: 'req-9' });
    const { user } = renderRoutes([{ path: 'store-details/address', element: <AddressPage /> }]);
    expect(await screen.findByText('Request id: req-9')).toBeInTheDocument();
    answer('get', '/profile/address/{id}', []);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByLabelText('Location')).toBeInTheDocument();
  });
});

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
    act(() => vi.advanceTimersByTime(800));
    expect(sent.bodies).toEqual([]);
    act(() => vi.advanceTimersByTime(300));
    expect(await screen.findByText('2 found')).toBeInTheDocument();
    expect(sent.bodies).toEqual([{ address: 'pune', session: expect.stringMatching(uuid4) as string }]);
    await user.clear(screen.getByLabelText('Location'));
    act(() => vi.advanceTimersByTime(2000));
    expect(sent.bodies).toHaveLength(1);
  });

  it('is gone through by the keyboard and fills in what the place knows', async () => {
    const searched = answer('post', '/profile/search-address', found);
    const asked = answer('post', '/profile/coordinates', place);
    const { user, container } = await setup();
    await user.type(screen.getByLabelText('Location'), 'pune{Enter}');
    await screen.findByRole('option', { name: 'Camp, Pune' });
    const attribution = screen.getByText('Google Maps');
    const above =
      attribution.compareDocumentPosition(screen.getByLabelText('Location')) & Node.DOCUMENT_POSITION_FOLLOWING;
    expect(above, 'the list would cover it below the field').toBeTruthy();
    expect(await accessibilityFaults(container)).toEqual([]);
    await user.keyboard('{ArrowDown}{ArrowDown}');
    act(() => vi.advanceTimersByTime(2000));
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

    // the next search is another session
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
