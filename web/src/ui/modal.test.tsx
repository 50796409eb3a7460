import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Modal } from './modal';

afterEach(() => vi.restoreAllMocks());

test('a dialog is gone at once where less motion is wanted, whatever its buttons do at that moment', () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      media,
      matches: true,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  );
  const dialog = (open: boolean) => (
    <Modal open={open} title="Change your e-mail" onClose={() => undefined}>
      <p>Content</p>
    </Modal>
  );
  const { rerender } = render(dialog(true));
  const close = screen.getByRole('button', { name: 'Close' });
  rerender(dialog(false));
  fireEvent.transitionEnd(close);
  expect(screen.queryByText('Content')).not.toBeInTheDocument();
});
