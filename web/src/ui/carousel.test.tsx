import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Carousel } from './carousel';

const slides = ['one', 'two', 'three'].map((id) => ({ id, content: <a href={`/${id}`}>{id}</a> }));

/** The index of the slide that is reachable; the others are inert. */
function shown() {
  const reachable = screen.getAllByRole('group', { hidden: true }).filter((slide) => !slide.hasAttribute('inert'));
  expect(reachable).toHaveLength(1);
  return reachable[0]?.getAttribute('aria-label');
}

test('the arrows go round without end, in both directions', async () => {
  const user = userEvent.setup();
  render(<Carousel label="Stories" unit="story" slides={slides} />);
  expect(shown()).toBe('1 of 3');
  const next = screen.getByRole('button', { name: 'Next story' });
  const previous = screen.getByRole('button', { name: 'Previous story' });
  for (const place of ['2 of 3', '3 of 3', '1 of 3']) {
    await user.click(next);
    expect(shown()).toBe(place);
  }
  for (const place of ['3 of 3', '2 of 3']) {
    await user.click(previous);
    expect(shown()).toBe(place);
  }
});

test('a dot leads to its slide and says which one is shown', async () => {
  const user = userEvent.setup();
  const told = vi.fn();
  render(<Carousel label="Stories" unit="story" slides={slides} onChange={told} />);
  await user.click(screen.getByRole('button', { name: 'Show story 3' }));
  expect(shown()).toBe('3 of 3');
  expect(screen.getByRole('button', { name: 'Show story 3' })).toHaveAttribute('aria-current', 'true');
  expect(screen.getByRole('button', { name: 'Show story 1' })).not.toHaveAttribute('aria-current');
  expect(told.mock.calls).toEqual([[2]]);
});

test('a carousel controlled from outside shows the chosen slide and reports other choices', async () => {
  const user = userEvent.setup();
  function Pair() {
    const [active, setActive] = useState(1);
    return (
      <>
        <button type="button" onClick={() => setActive(0)}>
          First
        </button>
        <Carousel label="Stories" unit="story" slides={slides} active={active} onChange={setActive} />
      </>
    );
  }
  render(<Pair />);
  expect(shown()).toBe('2 of 3');
  await user.click(screen.getByRole('button', { name: 'Next story' }));
  expect(shown()).toBe('3 of 3');
  await user.click(screen.getByRole('button', { name: 'First' }));
  expect(shown()).toBe('1 of 3');
});

test('with one slide the arrows stay where they are', async () => {
  const user = userEvent.setup();
  render(<Carousel label="Stories" unit="story" slides={slides.slice(0, 1)} />);
  await user.click(screen.getByRole('button', { name: 'Next story' }));
  await user.click(screen.getByRole('button', { name: 'Previous story' }));
  expect(shown()).toBe('1 of 1');
});
