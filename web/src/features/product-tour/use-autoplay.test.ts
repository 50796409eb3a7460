import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { STEP_MS, useAutoplay } from './use-autoplay';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

it('goes on every four seconds, without end', () => {
  const { result } = renderHook(() => useAutoplay(3));
  pass(STEP_MS - 1);
  expect(result.current.active).toBe(0);
  pass(1);
  expect(result.current.active).toBe(1);
  pass(STEP_MS);
  pass(STEP_MS);
  expect(result.current.active).toBe(0);
});

it('waits under the pointer and under the focus', () => {
  const { result } = renderHook(() => useAutoplay(3));
  act(() => result.current.hold('pointer', true));
  act(() => result.current.hold('focus', true));
  pass(STEP_MS * 2);
  act(() => result.current.hold('pointer', false));
  pass(STEP_MS * 2);
  expect(result.current.active).toBe(0);
  act(() => result.current.hold('focus', false));
  pass(STEP_MS);
  expect(result.current.active).toBe(1);
});

it('pauses, and starts paused for people who want little motion', () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: true }) as MediaQueryList,
  );
  const { result } = renderHook(() => useAutoplay(3));
  expect(result.current.playing).toBe(false);
  pass(STEP_MS * 2);
  expect(result.current.active).toBe(0);
  act(() => result.current.toggle());
  pass(STEP_MS);
  expect(result.current.active).toBe(1);
});
