import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useJobFilter } from './use-job-filter';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T05:30:40Z') }));
afterEach(() => vi.useRealTimers());

function setup(at: string) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MemoryRouter initialEntries={[at]}>{children}</MemoryRouter>
  );
  return renderHook(() => ({ ...useJobFilter(), search: useLocation().search }), { wrapper });
}

test('the address is the filter; a state that nobody knows narrows nothing', () => {
  const { result } = setup('/?kind=verify_payment&error=gateway&state=lost&job=12&operation=o1');
  expect(result.current.filter).toEqual({ kind: 'verify_payment', search: 'gateway' });
  expect([result.current.opened, result.current.operation]).toEqual([12, 'o1']);
});

test('a span begins at a whole minute', () => {
  const { result } = setup('/?since=1h');
  expect(result.current.filter).toEqual({ from: '2026-11-21T04:30:00Z' });
});

test('opening a job keeps the very filter, so that nothing is loaded again', () => {
  const { result } = setup('/?kind=verify_payment&since=1h');
  const { filter } = result.current;
  vi.advanceTimersByTime(90_000);
  act(() => result.current.open(12));
  expect(result.current.opened).toBe(12);
  expect(result.current.filter).toBe(filter);
});

test('what is set to nothing leaves the address, all else stays', () => {
  const { result } = setup('/?kind=verify_payment&job=12');
  act(() => result.current.set({ job: '', queue: 'payments' }));
  expect(result.current.search).toBe('?kind=verify_payment&queue=payments');
  expect(result.current.filter).toEqual({ kind: 'verify_payment', queue: 'payments' });
});
