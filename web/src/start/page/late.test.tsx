import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const root = document.documentElement;

/** Fresh modules, because the page can be hydrated only once. */
async function setUp() {
  vi.resetModules();
  const [{ Late, latePart }, { pageTakenOver }] = await Promise.all([import('./late'), import('./hydration')]);
  return { Late, latePart, pageTakenOver };
}
function Price({ amount }: { amount: string }) {
  return <p>Price {amount}</p>;
}

beforeEach(() => root.removeAttribute('data-hydrated'));
afterEach(() => {
  vi.restoreAllMocks();
  root.removeAttribute('data-hydrated');
});

test('a page counts as taken over only when its late part works too', async () => {
  const { Late, latePart, pageTakenOver } = await setUp();
  let arrive: (part: typeof Price) => void = () => undefined;
  const Part = latePart(() => new Promise<typeof Price>((resolve) => (arrive = resolve)), 'soon');
  render(
    <Late>
      <Part amount="₹100" />
    </Late>,
  );
  pageTakenOver();
  expect(root).not.toHaveAttribute('data-hydrated');
  await act(async () => arrive(Price));
  expect(await screen.findByText('Price ₹100')).toBeVisible();
  await waitFor(() => expect(root).toHaveAttribute('data-hydrated'));
});

test('until it is there it keeps the properties of the markup; then it has the newest', async () => {
  const { Late, latePart } = await setUp();
  let arrive: (part: typeof Price) => void = () => undefined;
  const Part = latePart(() => new Promise<typeof Price>((resolve) => (arrive = resolve)), 'soon');
  const drawn: string[] = [];
  const Seen = (props: { amount: string }) => {
    drawn.push(props.amount);
    return <Price {...props} />;
  };
  const view = render(<Late>{<Part amount="₹100" />}</Late>);
  view.rerender(<Late>{<Part amount="₹200" />}</Late>);
  await act(async () => arrive(Seen));
  expect(await screen.findByText('Price ₹200')).toBeVisible();
  expect(drawn[0]).toBe('₹100');
});

test('a part that is no longer wanted holds nothing up', async () => {
  const { Late, latePart, pageTakenOver } = await setUp();
  const Part = latePart(() => new Promise<typeof Price>(() => undefined), 'soon');
  const { unmount } = render(
    <Late>
      <Part amount="₹100" />
    </Late>,
  );
  pageTakenOver();
  unmount();
  expect(root).toHaveAttribute('data-hydrated');
});

test('a part that may wait asks for its scripts after everything else has come', async () => {
  const { Late, latePart } = await setUp();
  const load = vi.fn(async () => Price);
  const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
  const Part = latePart(load);
  render(
    <Late>
      <Part amount="₹100" />
    </Late>,
  );
  await act(async () => Promise.resolve());
  expect(load).not.toHaveBeenCalled();
  state.mockReturnValue('complete');
  await act(async () => window.dispatchEvent(new Event('load')));
  expect(await screen.findByText('Price ₹100')).toBeVisible();
});

test('a dialog’s scripts are fetched before it is opened, and again where that failed', async () => {
  const { onDemand } = await import('./on-demand');
  const Dialog = ({ open }: { open: boolean }) => (open ? <p>Sure?</p> : null);
  const load = vi.fn(async () => Dialog).mockRejectedValueOnce(new Error('offline'));
  const Lazy = onDemand<{ open: boolean }>(load);
  const view = render(<Lazy open={false} />);
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  expect(screen.queryByText('Sure?')).not.toBeInTheDocument();
  view.rerender(<Lazy open />);
  expect(await screen.findByText('Sure?')).toBeVisible();
  view.rerender(<Lazy open={false} />);
  expect(screen.queryByText('Sure?')).not.toBeInTheDocument();
});
