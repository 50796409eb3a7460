import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tourSteps } from '@/content/tour';
import { renderRoutes } from '@/testing/render';
import { ProductTourPage } from './product-tour-page';

const steps = () =>
  within(screen.getByRole('region', { name: 'Steps' }))
    .getAllByRole('button')
    .filter((button) => /^\d/.test(button.textContent));

test('a step that is chosen is the one that is shown, alone', async () => {
  const { user, container } = renderRoutes([{ path: 'product-tour', element: <ProductTourPage /> }]);
  expect(steps()).toHaveLength(tourSteps.length);
  for (const at of [tourSteps.length - 1, 1, 0]) {
    await user.click(steps()[at]!);
    const current = steps().filter((step) => step.getAttribute('aria-current') === 'step');
    expect(current).toEqual([steps()[at]]);
    const pictures = [...container.querySelectorAll('.tour-picture')];
    expect(pictures.map((picture) => picture.getAttribute('aria-hidden'))).toEqual(
      tourSteps.map((_, index) => String(index !== at)),
    );
    expect(screen.getByText(`Step ${at + 1} of ${tourSteps.length}`)).toBeInTheDocument();
  }
});

test('the tour can be stopped and goes on again', async () => {
  const { user } = renderRoutes([{ path: 'product-tour', element: <ProductTourPage /> }]);
  await user.click(screen.getByRole('button', { name: 'Pause the tour' }));
  await user.click(screen.getByRole('button', { name: 'Play the tour' }));
  expect(screen.getByRole('button', { name: 'Pause the tour' })).toBeVisible();
});
