import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accessibilityFaults } from '@/testing/render';
import { Form } from './form';
import { SelectField, type SelectOption } from './select-field';
import { useAppForm } from './use-app-form';

const states: SelectOption[] = [
  { id: '07', name: 'Delhi' },
  { id: '27', name: 'Maharashtra' },
  { id: '23', name: 'Madhya Pradesh' },
  { id: '33', name: 'Tamil Nadu' },
];

function setup(value = '', options = states) {
  function Example() {
    const form = useAppForm({
      schema: z.object({ state: z.string() }),
      defaultValues: { state: value },
      onSubmit: () => undefined,
    });
    return (
      <Form form={form} label="Example">
        <SelectField name="state" label="State" options={options} />
        <output data-testid="value">{form.methods.watch('state')}</output>
      </Form>
    );
  }
  return { ...render(<Example />), user: userEvent.setup() };
}

const box = () => screen.getByRole('combobox', { name: /^State/ });
const active = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent;

test('arrows, Home and End go through the list and stop at its ends; Enter chooses', async () => {
  const { user } = setup();
  await user.tab();
  expect(box()).toHaveFocus();
  await user.keyboard('{ArrowDown}{ArrowUp}');
  expect(active()).toBe('Delhi');
  await user.keyboard('{End}{ArrowDown}');
  expect(active()).toBe('Tamil Nadu');
  await user.keyboard('{Home}{ArrowDown}{Enter}');
  expect(screen.getByTestId('value')).toHaveTextContent('27');
  expect(box()).toHaveAttribute('aria-expanded', 'false');
});

test('letters typed together find the name that begins with them', async () => {
  const { user } = setup();
  await user.tab();
  await user.keyboard('mad');
  expect(active()).toBe('Madhya Pradesh');
});

test('Esc closes the list and changes nothing', async () => {
  const { user } = setup('33');
  await user.click(box());
  expect(active()).toBe('Tamil Nadu');
  await user.keyboard('{ArrowUp}{Escape}');
  expect(box()).toHaveAttribute('aria-expanded', 'false');
  expect(screen.getByTestId('value')).toHaveTextContent('33');
});

test('the pointer chooses, and leaving the field closes the list', async () => {
  const { user, container } = setup();
  await user.click(box());
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.click(screen.getByRole('option', { name: 'Delhi' }));
  expect(screen.getByTestId('value')).toHaveTextContent('07');
  await user.click(box());
  await user.tab();
  expect(box()).toHaveAttribute('aria-expanded', 'false');
});

test('a list without options says so, and cannot choose that', async () => {
  const { user } = setup('', []);
  await user.click(box());
  await user.click(screen.getByRole('option', { name: 'No Data Found !!' }));
  await user.keyboard('{Enter}');
  expect(screen.getByTestId('value')).toBeEmptyDOMElement();
});
