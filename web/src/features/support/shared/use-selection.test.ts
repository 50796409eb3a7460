import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useSelection } from './use-selection';

test('a row is chosen by one call and let go by the next', () => {
  const { result } = renderHook(useSelection);
  act(() => result.current.toggle(7));
  act(() => result.current.toggle(9));
  expect([...result.current.chosen]).toEqual([7, 9]);
  act(() => result.current.toggle(7));
  expect([...result.current.chosen]).toEqual([9]);
});

test('whoever changes one row after all were chosen no longer means all', () => {
  const { result } = renderHook(useSelection);
  act(() => result.current.chooseAll());
  expect(result.current.all).toBe(true);
  act(() => result.current.toggle(7));
  expect(result.current.all).toBe(false);
  expect([...result.current.chosen]).toEqual([7]);
});

test('clear takes rows and all back, and no function changes on the way, so that no row is drawn for nothing', () => {
  const { result } = renderHook(useSelection);
  const { toggle, chooseAll, clear } = result.current;
  act(() => toggle(7));
  act(() => chooseAll());
  act(() => clear());
  expect(result.current).toEqual({ chosen: new Set(), all: false, toggle, chooseAll, clear });
});
