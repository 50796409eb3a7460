import { waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

/** Clicks a button as soon as it accepts a click. */
export async function press(user: UserEvent, button: HTMLElement): Promise<void> {
  await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
  await user.click(button);
}
