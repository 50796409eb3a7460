import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const root = document.documentElement;

/** Fresh modules, because the page can be hydrated only once. */
async function setUp() {
  vi.resetModules();
  const [{ latePart }, { pageTakenOver }] = await Promise.all([import('./late'), import('./hydration')]);
  return { latePart, pageTakenOver };
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
  const { latePart, pageTakenOver } = await setUp();
  let arrive: (part: typeof Price) => void = () => undefined;
  const Part = latePart(() => new Promise<typeof Price>((resolve) => (arrive = resolve)), { when: 'soon' });
  render(<Part amount="₹100" />);
  pageTakenOver();
  expect(root).not.toHaveAttribute('data-hydrated');
  await act(async () => arrive(Price));
  expect(await screen.findByText('Price ₹100')).toBeVisible();
  await waitFor(() => expect(root).toHaveAttribute('data-hydrated'));
});

test('until it is there it keeps the properties of the markup; then it has the newest', async () => {
  const { latePart } = await setUp();
  let arrive: (part: typeof Price) => void = () => undefined;
  const Part = latePart(() => new Promise<typeof Price>((resolve) => (arrive = resolve)), { when: 'soon' });
  const drawn: string[] = [];
  const Seen = (props: { amount: string }) => {
    drawn.push(props.amount);
    return <Price {...props} />;
  };
  const view = render(<Part amount="₹100" />);
  view.rerender(<Part amount="₹200" />);
  await act(async () => arrive(Seen));
  expect(await screen.findByText('Price ₹200')).toBeVisible();
  expect(drawn[0]).toBe('₹100');
});

test('a part that is no longer wanted holds nothing up', async () => {
  const { latePart, pageTakenOver } = await setUp();
  const Part = latePart(() => new Promise<typeof Price>(() => undefined), { when: 'soon' });
  const { unmount } = render(<Part amount="₹100" />);
  pageTakenOver();
  unmount();
  expect(root).toHaveAttribute('data-hydrated');
});

test('a part that may wait asks for its scripts after everything else has come', async () => {
  const { latePart } = await setUp();
  const load = vi.fn(async () => Price);
  const state = vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
  const Part = latePart(load, { when: 'loaded' });
  render(<Part amount="₹100" />);
  await act(async () => Promise.resolve());
  expect(load).not.toHaveBeenCalled();
  state.mockReturnValue('complete');
  await act(async () => window.dispatchEvent(new Event('load')));
  expect(await screen.findByText('Price ₹100')).toBeVisible();
});

test('a dialog’s scripts are fetched before it is opened, and again where that failed', async () => {
  const { latePart } = await setUp();
  const Dialog = ({ open }: { open: boolean }) => (open ? <p>Sure?</p> : null);
  const load = vi.fn(async () => Dialog).mockRejectedValueOnce(new Error('offline'));
  const Lazy = latePart<{ open: boolean }>(load);
  const view = render(<Lazy open={false} />);
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  expect(screen.queryByText('Sure?')).not.toBeInTheDocument();
  view.rerender(<Lazy open />);
  expect(await screen.findByText('Sure?')).toBeVisible();
  view.rerender(<Lazy open={false} />);
  expect(screen.queryByText('Sure?')).not.toBeInTheDocument();
});
