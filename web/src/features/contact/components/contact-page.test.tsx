import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { accessibilityFaults, renderRoutes } from '@/testing/render';
import { answer, refuse } from '@/testing/server';
import { ContactPage } from './contact-page';

const routes = [{ path: '/contact', element: <ContactPage /> }];

async function fill(user: ReturnType<typeof renderRoutes>['user']) {
  await user.type(await screen.findByLabelText('Name'), 'Asha Kulkarni');
  await user.type(screen.getByLabelText('Email'), 'asha@example.in');
  await user.type(screen.getByLabelText('Mobile number (optional)'), '+91 98765 43210');
  await user.type(screen.getByLabelText('Message'), 'We look for a host in Nashik.');
  await user.click(screen.getByRole('checkbox'));
}

it('names who runs the site, and who hears complaints when', () => {
  renderRoutes(routes, { at: '/contact' });
  const ways = screen.getByRole('complementary', { name: 'Other ways to reach us' });
  expect(ways).toHaveTextContent(/Private Limited.*Mumbai 400051.*CIN U72900MH2024PTC000360 · GSTIN 27AAPFU0939F1ZV/);
  expect(ways).toHaveTextContent(/Meera Kulkarni, Grievance Officer.*Monday to Friday, 10 am to 6 pm/);
  expect(ways).toHaveTextContent('Sample details');
  expect(screen.getByRole('link', { name: '+91 22 4000 0361' })).toHaveAttribute('href', 'tel:+912240000361');
});

it('sends the message with its consent and shows the reference', async () => {
  const sent = answer(
    'post',
    '/contact',
    { reference: '019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50' },
    'Thank you. We answer within one working day.',
  );
  const { user, container } = renderRoutes(routes, { at: '/contact?topic=partnership' });
  await screen.findByLabelText('Name');
  expect(await accessibilityFaults(container)).toEqual([]);
  await fill(user);
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  await screen.findByText('019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50');
  expect(sent.bodies).toEqual([
    {
      name: 'Asha Kulkarni',
      email: 'asha@example.in',
      mobile: '9876543210',
      topic: 'partnership',
      message: 'We look for a host in Nashik.',
      consent: true,
      consent_version: '2026-11',
    },
  ]);
});

it('sends nothing without consent, and says so', async () => {
  const sent = answer('post', '/contact', { reference: 'r' });
  const { user } = renderRoutes(routes, { at: '/contact?topic=sales' });
  await fill(user);
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  await screen.findByRole('link', { name: /Tick the box/ });
  expect(sent.bodies).toEqual([]);
});

it('keeps the typed message when the server refuses it', async () => {
  refuse('post', '/contact', 422, {
    message: 'Please check the fields.',
    messages: { message: ['Please leave out links'] },
  });
  const { user } = renderRoutes(routes, { at: '/contact?topic=sales' });
  await fill(user);
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  await waitFor(() => expect(screen.getAllByText(/Please leave out links/).length).toBeGreaterThan(0));
  expect(screen.getByLabelText('Message')).toHaveValue('We look for a host in Nashik.');
});
