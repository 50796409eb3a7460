import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { ApiError } from '@/lib/api/errors';
import { judged } from '@/lib/validation';
import { accessibilityFaults } from '@/testing/render';
import { CheckboxField } from './checkbox-field';
import { ChoicesField } from './choices-field';
import { Form, SubmitButton } from './form';
import { NativeSelectField } from './native-select-field';
import { TextField } from './text-field';
import { useAppForm } from './use-app-form';

type Values = { name: string; days: string; scopes: string[] };

function open(send: (values: Values) => Promise<void>) {
  function Screen() {
    const form = useAppForm<Values, Values>({
      schema: judged(({ name }) => ({ name: name ? undefined : 'Write the name.' })),
      defaultValues: { name: '', days: '7', scopes: ['read'] },
      onSubmit: send,
    });
    return (
      <Form form={form} summary={false}>
        <NativeSelectField
          name="days"
          label="Valid for"
          options={[
            ['7', 'A week'],
            ['30', 'A month'],
          ]}
        />
        <TextField name="name" label="Name" />
        <ChoicesField
          name="scopes"
          label="Scopes"
          options={[
            ['read', 'Read'],
            ['write', 'Write'],
          ]}
          multiple
        />
        <SubmitButton>Save</SubmitButton>
      </Form>
    );
  }
  return { ...render(<Screen />), user: userEvent.setup() };
}

test('a form without a summary focuses the first field with an error, and sends lists and choices', async () => {
  const send = vi.fn<(values: Values) => Promise<void>>(() => Promise.resolve());
  const { user, container } = open(send);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByLabelText('Name')).toHaveFocus());
  expect(screen.getByRole('alert')).toHaveTextContent('Write the name.');
  expect(await accessibilityFaults(container)).toEqual([]);
  await user.keyboard('Till');
  await user.selectOptions(screen.getByLabelText('Valid for'), 'A month');
  await user.click(screen.getByRole('checkbox', { name: 'Write' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(send.mock.calls[0]?.[0]).toEqual({ name: 'Till', days: '30', scopes: ['read', 'write'] }));
});

test('a form without a summary shows an error of no field above its button, and leaves the focus', async () => {
  const { user } = open(() => Promise.reject(new ApiError({ status: 409, message: 'A colleague changed it.' })));
  await user.type(screen.getByLabelText('Name'), 'Till{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('A colleague changed it.');
  expect(screen.getByLabelText('Name')).toHaveFocus();
});

test('fields outside a form show the values and the error of their owner', async () => {
  function Filters() {
    const [day, setDay] = useState('');
    const [mine, setMine] = useState(false);
    return (
      <>
        <TextField label="Day" type="date" value={day} onChange={setDay} error={day && 'Choose a later day.'} />
        <CheckboxField label="Only mine" hideLabel checked={mine} onChange={setMine} />
      </>
    );
  }
  const user = userEvent.setup();
  render(<Filters />);
  await user.type(screen.getByLabelText('Day'), '2026-11-30');
  expect(screen.getByLabelText('Day')).toHaveAccessibleDescription('Error: Choose a later day.');
  await user.click(screen.getByLabelText('Only mine'));
  expect(screen.getByLabelText('Only mine')).toBeChecked();
});
