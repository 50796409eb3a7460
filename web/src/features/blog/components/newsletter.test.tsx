import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { answer, mock, ok, refuse, server } from '@/testing/server';
import { ConfirmNewsletterPage } from './confirm-newsletter-page';
import { NewsletterBox } from './newsletter-box';
import { UnsubscribePage } from './unsubscribe-page';
// The pages load these lazily; importing them here makes them available at once.
import './confirm-newsletter-form';
import './newsletter-form';
import './unsubscribe-form';

const confirmPage = [{ path: '/newsletter/confirm', element: <ConfirmNewsletterPage /> }];
const unsubscribePage = [{ path: '/unsubscribe', element: <UnsubscribePage /> }];

it('requires consent before it sends an address', async () => {
  const sent = answer('post', '/newsletter', null, 'Thank you. You will hear from us.');
  const { user } = renderRoutes([{ path: '/blog', element: <NewsletterBox /> }]);
  await user.type(await screen.findByLabelText('Email'), 'reader@example.in');
  await user.click(screen.getByRole('button', { name: 'Subscribe' }));
  await screen.findByText('There is a problem');
  expect(sent.bodies).toEqual([]);
  await user.click(screen.getByRole('checkbox'));
  await user.click(screen.getByRole('button', { name: 'Subscribe' }));
  await screen.findByText('Thank you. You will hear from us.');
  expect(sent.bodies).toEqual([{ email: 'reader@example.in', consent: true, consent_version: '2026-11' }]);
  expect(screen.getByLabelText('Email')).toHaveValue('');
});

it('sends the link to leave to the address typed', async () => {
  const sent = answer('post', '/newsletter/unsubscribe', null, 'We send the link.');
  const { user } = renderRoutes(unsubscribePage);
  await user.type(await screen.findByLabelText('Email'), 'reader@example.in');
  await user.click(screen.getByRole('button', { name: 'Send the link' }));
  await screen.findByText('We send the link.');
  expect(sent.bodies).toEqual([{ email: 'reader@example.in' }]);
});

it('starts the newsletter by a click on the page of the link, not by opening it', async () => {
  const sent = answer('post', '/newsletter/confirm', null, 'You get the newsletter.');
  const { user, router } = renderRoutes(confirmPage, { at: '/newsletter/confirm#token' });
  const button = await screen.findByRole('button', { name: 'Confirm the newsletter' });
  expect(sent.bodies).toEqual([]);
  await expect.poll(() => router.state.location.hash).toBe('');
  await user.click(button);
  await screen.findByText('You get the newsletter.');
  expect(sent.bodies).toEqual([{ token: 'token' }]);
});

it('shows that a link does not work', async () => {
  refuse('post', '/newsletter/confirm', 404, { message: 'This link does not work.' });
  const { user } = renderRoutes(confirmPage, { at: '/newsletter/confirm#token' });
  await user.click(await screen.findByRole('button', { name: 'Confirm the newsletter' }));
  await screen.findByText('This link does not work.');
  expect(screen.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/blog#newsletter');
});

it('says where to go on without a link', async () => {
  renderRoutes(confirmPage, { at: '/newsletter/confirm' });
  await screen.findByText('This page needs the link from our e-mail. Open that link, or ask for a new one.');
  expect(screen.getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/blog#newsletter');
});

it('leaves by the link of an issue', async () => {
  server.use(mock.post('/newsletter/unsubscribe/token', () => ok(null, 'You left.')));
  const { user } = renderRoutes(unsubscribePage, { at: '/unsubscribe#token' });
  await user.click(await screen.findByRole('button', { name: 'Leave the newsletter' }));
  await screen.findByText('You left.');
});
