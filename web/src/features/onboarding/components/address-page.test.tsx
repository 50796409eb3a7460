import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { getSession, startSession } from '@/lib/session/session';
import { franchiserUser, signedIn } from '@/testing/factories';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { AddressPage } from './address-page';
import { lists, setup, type View } from './address.fixture';

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

const lines = {
  Location: 'Camp, Pune',
  'House number and floor': '12/4, Second floor',
  'Building and block (optional)': 'Sunrise Towers',
  'Landmark (optional)': 'Opp. City Mall',
  Pincode: '411 001',
  City: 'Pune',
  'Name for the invoice (optional)': 'Asha Sweets',
};

async function chooseState({ user }: View, name = 'Maharashtra') {
  await user.click(screen.getByRole('combobox', { name: /^State/ }));
  await user.click(await screen.findByRole('option', { name }));
}

async function fill(view: View, change: Record<string, string> = {}) {
  await chooseState(view);
  for (const [label, value] of Object.entries({ ...lines, ...change }))
    if (value) {
      const field = screen.getByLabelText(label);
      await view.user.clear(field);
      await view.user.type(field, value);
    }
}

const save = ({ user }: View) => user.click(screen.getByRole('button', { name: 'Save and continue' }));

beforeEach(() => startSession(franchiserUser()));

describe('the business address', () => {
  // Slow typing triggers the search, which these tests do not cover.
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
      'Pincode can not be empty.',
      'State: This field can not be empty.',
      'City: This field can not be empty.',
    ]);
    await view.user.click(within(summary).getByRole('link', { name: /^State/ }));
    expect(screen.getByRole('combobox', { name: /^State/ })).toHaveFocus();
  });

  it.each([
    ['City', 'P', 'Please use at least 2 characters'],
    ['House number and floor', '12 <b>', "Please use letters, digits, spaces and / , . - ' : ; only"],
    ['Building and block (optional)', 'B'.repeat(51), 'Please use at most 50 characters'],
    ['City', 'P'.repeat(26), 'Please use at most 25 characters'],
    ['Building and block (optional)', 'B', 'Please use at least 2 characters'],
    ['Name for the invoice (optional)', 'asha@example.in', 'Enter a name for the invoice, not an e-mail address'],
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
    answer('get', '/session', signedIn({ has_address: true }));
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

  it('is saved without a name for the invoice, which is prefilled with the person’s own', async () => {
    const sent = answer('post', '/profile/address', saved);
    const view = await setup();
    expect(screen.getByLabelText('Name for the invoice (optional)')).toHaveValue('Asha Kulkarni');
    await fill(view, { 'Name for the invoice (optional)': '' });
    await view.user.clear(screen.getByLabelText('Name for the invoice (optional)'));
    await save(view);
    await waitFor(() => expect(sent.bodies).toEqual([expect.objectContaining({ legal_name: null })]));
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
        expect.stringContaining(
          'Error: A character of this GSTIN is wrong: please check it against your registration certificate',
        ),
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

  it('keeps the typed address through a reload', async () => {
    const view = await setup();
    await fill(view);
    view.unmount();
    await setup();
    expect(screen.getByLabelText(/^Building and block/)).toHaveValue('Sunrise Towers');
  });

  it('says that the lists of places could not be loaded, and loads them again', async () => {
    lists();
    refuse('get', '/state/{id}', 500);
    answer('get', '/profile/address/{id}', []);
    const view = renderRoutes([{ path: 'store-details/address', element: <AddressPage /> }]);
    expect(await screen.findByText(/^We could not load the lists of States and cities\./)).toBeVisible();
    answer('get', '/state/{id}', [{ id: '27', name: 'Maharashtra' }]);
    await view.user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText(/^We could not load/)).not.toBeInTheDocument());
    await chooseState(view);
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
