import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { SignUpForm } from './sign-up-form';

test('a sign-up in Hindi says in which languages messages and documents come', async () => {
  renderRoutes([{ path: '/', element: <SignUpForm purpose="sign-up" submitLabel="साइन अप" /> }]);
  expect(await screen.findByText(/इनवॉइस और बाकी दस्तावेज़ अंग्रेज़ी और हिन्दी/)).toBeVisible();
});
