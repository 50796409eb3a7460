import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { isWaiting, Waiting } from './waiting';

test('the shell says that it is loading, and is nothing to take over', () => {
  const { container } = render(<Waiting />);
  expect(screen.getByRole('status')).toHaveTextContent('Loading…');
  expect(isWaiting(container)).toBe(true);
});

test('a finished page and an empty one are not the shell', () => {
  const { container, rerender } = render(<main>Plans</main>);
  expect(isWaiting(container)).toBe(false);
  rerender(<></>);
  expect(isWaiting(container)).toBe(false);
});
