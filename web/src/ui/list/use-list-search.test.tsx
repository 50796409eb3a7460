import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passTime } from '@/testing/pass-time';
import { useTypedText } from './use-list-search';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function Field({ given, onChange }: { given: string; onChange: (text: string) => void }) {
  const { typed, setTyped } = useTypedText(given, 300, onChange);
  return <input aria-label="Argument" value={typed} onChange={(event) => setTyped(event.target.value)} />;
}
const type = (value: string) => fireEvent.change(screen.getByLabelText('Argument'), { target: { value } });
const pause = () => passTime(300);

test('what is typed while the address follows is kept; an address of another origin is taken over', () => {
  const onChange = vi.fn();
  const { rerender } = render(<Field given="" onChange={onChange} />);
  type('pay');
  pause();
  expect(onChange).toHaveBeenLastCalledWith('pay');
  type('payment');
  pause();
  type('payment_id');
  rerender(<Field given="pay" onChange={onChange} />);
  expect(screen.getByLabelText('Argument')).toHaveValue('payment_id');
  rerender(<Field given="payment" onChange={onChange} />);
  expect(screen.getByLabelText('Argument')).toHaveValue('payment_id');
  pause();
  expect(onChange).toHaveBeenLastCalledWith('payment_id');
  rerender(<Field given="payment_id" onChange={onChange} />);
  rerender(<Field given="" onChange={onChange} />);
  expect(screen.getByLabelText('Argument')).toHaveValue('');
});
