import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { passTime } from '@/testing/pass-time';
import { STEP_MS, useAutoplay } from './use-autoplay';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('goes on every four seconds, without end', () => {
  const { result } = renderHook(() => useAutoplay(3));
  passTime(STEP_MS - 1);
  expect(result.current.active).toBe(0);
  passTime(1);
  expect(result.current.active).toBe(1);
  passTime(STEP_MS);
  passTime(STEP_MS);
  expect(result.current.active).toBe(0);
});

it('waits under the pointer and under the focus', () => {
  const { result } = renderHook(() => useAutoplay(3));
  act(() => result.current.hold('pointer', true));
  act(() => result.current.hold('focus', true));
  passTime(STEP_MS * 2);
  act(() => result.current.hold('pointer', false));
  passTime(STEP_MS * 2);
  expect(result.current.active).toBe(0);
  act(() => result.current.hold('focus', false));
  passTime(STEP_MS);
  expect(result.current.active).toBe(1);
});

it('pauses, and starts paused for people who want little motion', () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) => Object.assign(new EventTarget(), { media, matches: true }) as MediaQueryList,
  );
  const { result } = renderHook(() => useAutoplay(3));
  expect(result.current.playing).toBe(false);
  passTime(STEP_MS * 2);
  expect(result.current.active).toBe(0);
  act(() => result.current.toggle());
  passTime(STEP_MS);
  expect(result.current.active).toBe(1);
});
