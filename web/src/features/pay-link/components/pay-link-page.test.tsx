import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { PayLinkPage } from './pay-link-page';

const code = 'AaIKITSlfNCW0nR50UGl9KVFCWZ1gM4Ry0UB_Q';
const routes = [{ path: 'p/:code', element: <PayLinkPage /> }];
const renewal = {
  shop: 'As••• Tr•••',
  plan: 'Start up · Expansion',
  from: '2026-12-02',
  to: '2027-01-01',
  details: [
    { label: 'Start up · Expansion', type: 'plan', value: '₹12,500' },
    { label: 'GST 18%', type: 'tax', value: '₹2,250' },
    { label: 'Total', type: 'total', value: '₹14,750' },
  ],
  total: '₹14,750',
  expected_total: 1_475_000,
  pay_by: '2026-12-08',
  link_until: '2026-12-25',
  upi_limit: null,
  undecided_debit: null,
};
const open = { state: 'open', returned: 'none', renewal };

beforeEach(() => {
  vi.spyOn(HTMLFormElement.prototype, 'submit')
    .mockReset()
    .mockImplementation(() => undefined);
});

test('the link shows what is renewed and leads to the gateway with the total that was shown', async () => {
  answer('get', '/pay-links/{code}', open);
  const { bodies, requests } = answer('post', '/pay-links/{code}/request', {
    gateway_details: { payment_url: 'https://test.payu.in/_payment', txnid: 'FP1' },
    amount: '₹14,750',
  });
  const { container, user } = renderRoutes(routes, { at: `/p/${code}` });
  expect(await screen.findByText('As••• Tr•••')).toBeVisible();
  expect(screen.getByText('2 Dec 2026 to 1 Jan 2027')).toBeVisible();
  expect(screen.getByRole('row', { name: 'GST 18% ₹2,250' })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Pay ₹14,750' }));
  expect(bodies).toEqual([]);
  await user.type(screen.getByLabelText('Your mobile number'), '+91 91234 56789');
  await user.click(screen.getByRole('button', { name: 'Pay ₹14,750' }));
  expect(await screen.findByText('Taking you to the secure payment page…')).toBeVisible();
  expect(bodies).toEqual([{ mobile: '9123456789', expected_total: 1_475_000 }]);
  expect(requests[0]?.url).toContain(`/pay-links/${code}/request`);
  expect(HTMLFormElement.prototype.submit).toHaveBeenCalledOnce();
});

test('a price that changed is shown anew, and nothing is paid', async () => {
  answer('get', '/pay-links/{code}', open);
  refuse('post', '/pay-links/{code}/request', 409, { code: 'price_changed', message: 'The price has changed.' });
  const { user } = renderRoutes(routes, { at: `/p/${code}` });
  await user.type(await screen.findByLabelText('Your mobile number'), '9123456789');
  answer('get', '/pay-links/{code}', { ...open, renewal: { ...renewal, total: '₹17,700', expected_total: 1_770_000 } });
  await user.click(screen.getByRole('button', { name: 'Pay ₹14,750' }));
  expect(await screen.findByRole('button', { name: 'Pay ₹17,700' })).toBeVisible();
  expect(screen.getByText(/The price has changed/)).toBeVisible();
  expect(HTMLFormElement.prototype.submit).not.toHaveBeenCalled();
});

test.each([
  ['paid', 'There is nothing to pay any more.'],
  ['confirming', 'We are confirming the payment.'],
])('a renewal that is %s offers no payment', async (state, words) => {
  const { requests } = answer('get', '/pay-links/{code}', { state, returned: 'none', renewal: null });
  const { container } = renderRoutes(routes, { at: `/p/${code}?transaction_id=FP1` });
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.queryByRole('button', { name: /Pay/ })).toBeNull();
  expect(requests[0]?.url).toContain('transaction_id=FP1');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test.each([
  ['received', 'We have received the payment. Thank you.', 'The plan is renewed.'],
  ['given_back', 'This renewal was paid already.', 'is refunded to the account it came from'],
  ['failed', 'There is nothing to pay any more.', 'Your payment did not go through.'],
])('who comes back with a payment that is %s reads what became of it', async (returned, title, words) => {
  answer('get', '/pay-links/{code}', { state: 'paid', returned, renewal: null });
  const { container } = renderRoutes(routes, { at: `/p/${code}?transaction_id=FP1` });
  expect(await screen.findByText(title)).toBeVisible();
  expect(screen.getByText(words, { exact: false })).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('reloads the renewal when the browser restores the page after the gateway', async () => {
  answer('get', '/pay-links/{code}', open);
  answer('post', '/pay-links/{code}/request', {
    gateway_details: { payment_url: 'https://test.payu.in/_payment', txnid: 'FP1' },
    amount: '₹14,750',
  });
  const { user } = renderRoutes(routes, { at: `/p/${code}` });
  await user.type(await screen.findByLabelText('Your mobile number'), '9123456789');
  await user.click(screen.getByRole('button', { name: 'Pay ₹14,750' }));
  expect(await screen.findByText('Taking you to the secure payment page…')).toBeVisible();
  answer('get', '/pay-links/{code}', { state: 'paid', returned: 'none', renewal: null });
  const shown = Object.assign(new Event('pageshow'), { persisted: true });
  act(() => void window.dispatchEvent(shown));
  expect(await screen.findByText('There is nothing to pay any more.')).toBeVisible();
  expect(screen.queryByText('Taking you to the secure payment page…')).toBeNull();
});

test('warns of an undecided debit and pays despite it', async () => {
  const debit = { amount: '₹14,750', asked_on: '2026-12-01', decided_by: '2026-12-06' };
  answer('get', '/pay-links/{code}', { ...open, renewal: { ...renewal, undecided_debit: debit } });
  const sent = answer('post', '/pay-links/{code}/request', {
    gateway_details: { payment_url: 'https://test.payu.in/_payment', txnid: 'FP1' },
    amount: '₹14,750',
  });
  const { user, container } = renderRoutes(routes, { at: `/p/${code}` });
  expect(
    await screen.findByText(/^Your bank was asked for ₹14,750 on 1 Dec 2026 and has not answered\./),
  ).toBeVisible();
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.type(screen.getByLabelText('Your mobile number'), '9123456789');
  await user.click(screen.getByRole('button', { name: 'Pay anyway · ₹14,750' }));
  expect(await screen.findByText('Taking you to the secure payment page…')).toBeVisible();
  expect(sent.bodies).toEqual([{ mobile: '9123456789', expected_total: 1475000, pay_despite_debit: true }]);
});

test('a payment that staff look at is not to be paid again', async () => {
  refuse('get', '/pay-links/{code}', 409, { code: 'payment_held', message: 'Please do not pay again.' });
  renderRoutes(routes, { at: `/p/${code}` });
  expect(await screen.findByText('Please do not pay again.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /Retry|Pay/ })).toBeNull();
});

test('a payment that failed can be tried again', async () => {
  answer('get', '/pay-links/{code}', { ...open, returned: 'failed' });
  renderRoutes(routes, { at: `/p/${code}?transaction_id=FP1` });
  expect(await screen.findByText(/did not go through/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Pay ₹14,750' })).toBeVisible();
});

test('reports an invalid link and a link that failed to load', async () => {
  refuse('get', '/pay-links/{code}', 404, { code: 'pay_link_invalid' });
  const { unmount } = renderRoutes(routes, { at: `/p/${code}` });
  expect(await screen.findByText('This link does not work.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
  unmount();
  refuse('get', '/pay-links/{code}', 503, { message: 'Try again.' });
  renderRoutes(routes, { at: `/p/${code}` });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible());
});
