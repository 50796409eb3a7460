import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { answer } from '@/testing/server';
import { NewsletterBox } from './newsletter-box';
import { UnsubscribePage } from './unsubscribe-page';
// The pages load these lazily; importing them here makes them available at once.
import './newsletter-form';
import './unsubscribe-form';

it('asks for consent before it sends an address', async () => {
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

it('lets an address go', async () => {
  const sent = answer('post', '/newsletter/unsubscribe', null, 'You will not hear from us again.');
  const { user } = renderRoutes([{ path: '/unsubscribe', element: <UnsubscribePage /> }]);
  await user.type(await screen.findByLabelText('Email'), 'reader@example.in');
  await user.click(screen.getByRole('button', { name: 'Unsubscribe' }));
  await screen.findByText('You will not hear from us again.');
  expect(sent.bodies).toEqual([{ email: 'reader@example.in' }]);
});
