import { act, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { ViewBannerSlot } from './view-banner-slot';

vi.mock('@/lib/viewing', () => ({ readViewing: () => ({ name: 'Asha' }) }));
vi.mock('@/features/support/customers/customer-view-banner', () => {
  throw new Error('The script is not there.');
});

test('the page stays if the script of the banner can not be loaded', async () => {
  const { container } = render(
    <MemoryRouter>
      <p>Page</p>
      <ViewBannerSlot />
    </MemoryRouter>,
  );
  await act(async () => {
    await expect(import('@/features/support/customers/customer-view-banner')).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 500));
  });
  expect(container).toHaveTextContent('Page');
});
