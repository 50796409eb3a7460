import { expect, test, vi } from 'vitest';
import { openTab } from './open-tab';

test('opens a tab after the click has been painted, and without a way back to this page', async () => {
  vi.useFakeTimers();
  const tab = { opener: window } as unknown as Window;
  const open = vi.spyOn(window, 'open').mockReturnValue(tab);
  const opened = openTab();
  expect(open).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  expect(await opened).toBe(tab);
  expect(open).toHaveBeenCalledExactlyOnceWith('', '_blank');
  expect(tab.opener).toBeNull();
});
