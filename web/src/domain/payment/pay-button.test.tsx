import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passTime } from '@/testing/pass-time';
import { PayButton } from './pay-button';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const click = () => fireEvent.click(screen.getByRole('button'));

test('clicks meant for the previous button pay nothing, however often they are repeated', () => {
  const onPay = vi.fn();
  render(<PayButton label="Make Payment · ₹1,59,300" pending={false} onPay={onPay} />);
  for (let i = 0; i < 5; i++) {
    click();
    passTime(600);
  }
  expect(screen.getByRole('button')).toHaveAttribute('aria-disabled', 'true');
  expect(onPay).not.toHaveBeenCalled();
  passTime(100);
  expect(screen.getByRole('button')).not.toHaveAttribute('aria-disabled');
  click();
  expect(onPay).toHaveBeenCalledOnce();
});

test('another charge is shown for a moment as well', () => {
  const onPay = vi.fn();
  const { rerender } = render(<PayButton label="Pay ₹100" pending={false} onPay={onPay} />);
  passTime(700);
  rerender(<PayButton label="Pay ₹200" pending={false} onPay={onPay} />);
  click();
  expect(onPay).not.toHaveBeenCalled();
  passTime(700);
  click();
  expect(onPay).toHaveBeenCalledOnce();
});
