import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { accessibilityFaults } from '@/testing/render';
import { ComboBox, type ComboOption } from './combo-box';

const places: ComboOption[] = [
  { id: '1', label: 'Pune, Maharashtra' },
  { id: '2', label: 'Pune Cantonment, Maharashtra' },
  { id: '3', label: 'Punganur, Andhra Pradesh' },
];

interface SetUp {
  options?: ComboOption[];
  loading?: boolean;
}

function setUp({ options = places, loading = false }: SetUp = {}) {
  const onSearch = vi.fn();
  const onChoose = vi.fn();
  const onBlur = vi.fn();
  function Box({ shown, busy }: { shown: ComboOption[] | undefined; busy: boolean }) {
    const [value, setValue] = useState('');
    return (
      <>
        <label id="place-label" htmlFor="place">
          Location
        </label>
        <ComboBox
          control={{ id: 'place', 'aria-invalid': undefined, 'aria-describedby': undefined } as never}
          name="place"
          value={value}
          onChange={setValue}
          onBlur={onBlur}
          onSearch={onSearch}
          onChoose={onChoose}
          options={shown}
          loading={busy}
          emptyText="No Location Found"
        />
      </>
    );
  }
  const view = render(<Box shown={options} busy={loading} />);
  return {
    user: userEvent.setup(),
    onSearch,
    onChoose,
    onBlur,
    show: (shown: ComboOption[] | undefined, busy = false) => view.rerender(<Box shown={shown} busy={busy} />),
    container: view.container,
  };
}

const box = () => screen.getByRole('combobox', { name: 'Location' });
const active = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;

test('typing opens the suggestions and says how many there are', async () => {
  const { user, container } = setUp();
  expect(box()).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('option')).not.toBeInTheDocument();
  await user.type(box(), 'Pun');
  expect(box()).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(places.map(({ label }) => label));
  expect(screen.getByRole('status')).toHaveTextContent('3 found');
  expect(await accessibilityFaults(container)).toEqual([]);
});

test('the arrows go round the list, and Enter takes what they are at', async () => {
  const { user, onChoose, onSearch } = setUp();
  await user.type(box(), 'Pun');
  expect(active()).toBeNull();
  await user.keyboard('{ArrowDown}');
  expect(active()).toBe('Pune, Maharashtra');
  await user.keyboard('{ArrowUp}');
  expect(active()).toBe('Punganur, Andhra Pradesh');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toBe('Pune Cantonment, Maharashtra');
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Pune Cantonment');
  await user.keyboard('{Enter}');
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(places[1]);
  expect(onSearch).not.toHaveBeenCalled();
  expect(box()).toHaveAttribute('aria-expanded', 'false');
});

test('Enter without a suggestion searches at once and sends no form', async () => {
  const { user, onSearch, onChoose } = setUp({ options: [] });
  await user.type(box(), 'Pun');
  expect(fireEvent.keyDown(box(), { key: 'Enter' })).toBe(false);
  expect(onSearch).toHaveBeenCalledOnce();
  expect(onChoose).not.toHaveBeenCalled();
});

test('other suggestions begin anew; the same ones keep the place', async () => {
  const { user, show, onChoose } = setUp();
  await user.type(box(), 'Pun');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  show([...places]);
  expect(active()).toBe('Pune Cantonment, Maharashtra');
  show([{ id: '9', label: 'Nashik, Maharashtra' }]);
  expect(active()).toBeNull();
  await user.keyboard('{Enter}');
  expect(onChoose).not.toHaveBeenCalled();
});

test('Esc closes the list and keeps what is typed', async () => {
  const { user } = setUp();
  await user.type(box(), 'Pun');
  await user.keyboard('{Escape}');
  expect(box()).toHaveAttribute('aria-expanded', 'false');
  expect(box()).toHaveValue('Pun');
  await user.keyboard('{ArrowDown}');
  expect(box()).toHaveAttribute('aria-expanded', 'true');
});

test('the pointer chooses without taking the focus away', async () => {
  const { user, onChoose, onBlur } = setUp();
  await user.type(box(), 'Pun');
  await user.click(screen.getByRole('option', { name: 'Punganur, Andhra Pradesh' }));
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(places[2]);
  expect(box()).toHaveFocus();
  expect(onBlur).not.toHaveBeenCalled();
});

test('leaving the field closes the list', async () => {
  const { user, onBlur } = setUp();
  await user.type(box(), 'Pun');
  await user.tab();
  expect(box()).toHaveAttribute('aria-expanded', 'false');
  expect(onBlur).toHaveBeenCalledOnce();
});

test('while it searches it says so and shows no old suggestions', async () => {
  const { user, show } = setUp();
  await user.type(box(), 'Pun');
  show(places, true);
  expect(screen.getByRole('status')).toHaveTextContent('Searching');
  expect(box()).toHaveAttribute('aria-expanded', 'false');
  show([]);
  expect(screen.getByRole('status')).toHaveTextContent('No Location Found');
});

test('that nothing was found cannot be chosen', async () => {
  const { user, onChoose } = setUp({ options: [] });
  await user.type(box(), 'Xyz');
  const none = screen.getByRole('option', { name: 'No Location Found' });
  expect(none).toHaveAttribute('aria-disabled', 'true');
  await user.click(none);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(onChoose).not.toHaveBeenCalled();
});

test('before the first search there is no list and nothing is announced', async () => {
  const { user, show } = setUp();
  show(undefined);
  await user.type(box(), 'P');
  expect(box()).toHaveAttribute('aria-expanded', 'false');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});
