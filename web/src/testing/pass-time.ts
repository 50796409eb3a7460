import { act } from '@testing-library/react';
import { vi } from 'vitest';

/** Lets time pass on fake timers, and what they cause in the components. */
export const passTime = (milliseconds: number): void => act(() => void vi.advanceTimersByTime(milliseconds));
