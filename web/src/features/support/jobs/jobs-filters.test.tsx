import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passTime } from '@/testing/pass-time';
import { JobsFilters } from './jobs-filters';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const filters = (arg: string, onChange: (next: Record<string, string>) => void) => (
  <JobsFilters params={new URLSearchParams({ arg })} facets={[]} customer="" onChange={onChange} />
);
const type = (value: string) => fireEvent.change(screen.getByLabelText('Argument'), { target: { value } });
const pause = () => passTime(300);

test('what is typed while the address follows is kept; an address of another origin is taken over', () => {
  const onChange = vi.fn();
  const { rerender } = render(filters('', onChange));
  type('pay');
  pause();
  expect(onChange).toHaveBeenLastCalledWith({ arg: 'pay' });
  type('payment');
  pause();
  type('payment_id');
  rerender(filters('pay', onChange));
  expect(screen.getByLabelText('Argument')).toHaveValue('payment_id');
  rerender(filters('payment', onChange));
  expect(screen.getByLabelText('Argument')).toHaveValue('payment_id');
  pause();
  expect(onChange).toHaveBeenLastCalledWith({ arg: 'payment_id' });
  rerender(filters('payment_id', onChange));
  rerender(filters('', onChange));
  expect(screen.getByLabelText('Argument')).toHaveValue('');
});
