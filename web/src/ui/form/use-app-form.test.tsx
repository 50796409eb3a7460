import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { ApiError } from '@/lib/api/errors';
import { endSession, startSession } from '@/lib/session/session';
import { judged, text } from '@/lib/validation';
import { franchiserUser } from '@/testing/factories';
import { Form } from './form';
import { TextField } from './text-field';
import { useAppForm, type AppFormOptions } from './use-app-form';

const schema = z.object({
  name: text('Name'),
  city: text('City', [[(value) => value.length > 2, 'City is too short']]),
});
type Values = { name: string; city: string };
type Send = (values: Values, signal: AbortSignal) => Promise<void>;

function open(send: Send, options: Partial<AppFormOptions<Values, Values>> = {}) {
  function Screen() {
    const form = useAppForm({ schema, defaultValues: { name: 'Asha', city: 'Pune' }, onSubmit: send, ...options });
    return (
      <Form form={form} label="Place">
        <TextField name="name" label="Name" />
        <TextField name="city" label="City" />
        <button type="submit">{form.pending ? 'Saving' : 'Save'}</button>
        {form.problem && <p data-testid="problem">{form.problem.message}</p>}
      </Form>
    );
  }
  const view = render(
    <StrictMode>
      <Screen />
    </StrictMode>,
  );
  return { ...view, user: userEvent.setup() };
}
const save = () => screen.getByRole('button', { name: /Sav/ });
const refused = (fields: Record<string, string[]>) => new ApiError({ status: 422, message: 'Please check.', fields });

test('a double click sends once, even before the first click has been judged', async () => {
  const send = vi.fn<Send>(() => new Promise(() => undefined));
  open(send);
  act(() => {
    save().click();
    save().click();
  });
  await waitFor(() => expect(save()).toHaveTextContent('Saving'));
  save().click();
  await act(async () => Promise.resolve());
  expect(send).toHaveBeenCalledTimes(1);
});

test('a form that was refused here can be sent once it is mended', async () => {
  const send = vi.fn<Send>(() => Promise.resolve());
  const { user } = open(send);
  await user.clear(screen.getByLabelText('City'));
  await user.click(save());
  await waitFor(() =>
    expect(screen.getByLabelText('City')).toHaveAccessibleDescription('Error: City can not be empty.'),
  );
  expect(send).not.toHaveBeenCalled();
  await user.type(screen.getByLabelText('City'), 'Nashik');
  await user.click(save());
  await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  expect(send.mock.calls[0]?.[0]).toEqual({ name: 'Asha', city: 'Nashik' });
});

test('a flagged field is cleared as soon as it is mended, not before', async () => {
  const { user } = open(vi.fn<Send>());
  const city = screen.getByLabelText('City');
  await user.clear(city);
  await user.type(city, 'P');
  await user.click(save());
  await waitFor(() => expect(city).toHaveAccessibleDescription('Error: City is too short'));
  await user.type(city, 'u');
  expect(city).toHaveAccessibleDescription('Error: City is too short');
  await user.type(city, 'n');
  expect(city).toBeValid();
  expect(city).not.toHaveAccessibleDescription();
});

test('the server’s objection stands at its field, under the name that the form has for it', async () => {
  const send = vi.fn<Send>(() => Promise.reject(refused({ town: ['Nobody delivers there.'] })));
  const { user } = open(send, { aliases: { town: 'city' } });
  await user.click(save());
  await waitFor(() =>
    expect(screen.getByLabelText('City')).toHaveAccessibleDescription('Error: Nobody delivers there.'),
  );
  expect(screen.getByLabelText('City')).toBeInvalid();
  expect(screen.queryByTestId('problem')).not.toBeInTheDocument();
});

test('after each refusal the summary is brought into view, also where it has the focus already', async () => {
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView');
  const { user } = open(() => Promise.reject(refused({ city: ['Unknown city'] })));
  await user.click(save());
  await screen.findByText('There is a problem');
  await waitFor(() => expect(shown).toHaveBeenCalledTimes(1));
  act(() => save().click());
  await waitFor(() => expect(shown).toHaveBeenCalledTimes(2));
  expect(shown.mock.contexts.at(-1)).toBe(screen.getByRole('alert'));
  expect(screen.getByRole('alert')).toHaveFocus();
});

test('an objection to no field of the form is told above it', async () => {
  const send = vi.fn<Send>(() => Promise.reject(refused({ gst: ['The number is taken.'], name: ['Too long.'] })));
  const { user } = open(send);
  await user.click(save());
  expect(await screen.findByTestId('problem')).toHaveTextContent('The number is taken.');
  expect(screen.getByLabelText('Name')).toBeInvalid();
});

test('after a failure the form can be sent again, with nothing lost', async () => {
  const send = vi
    .fn<Send>()
    .mockRejectedValueOnce(new ApiError({ status: 503 }))
    .mockResolvedValueOnce();
  const { user } = open(send);
  await user.type(screen.getByLabelText('City'), ' City');
  await user.click(save());
  await screen.findByTestId('problem');
  expect(screen.getByLabelText('City')).toHaveValue('Pune City');
  await user.click(save());
  await waitFor(() => expect(screen.queryByTestId('problem')).not.toBeInTheDocument());
  expect(send).toHaveBeenCalledTimes(2);
});

test('leaving the page gives the sending up, and says nothing of it', async () => {
  let signal: AbortSignal | undefined;
  const { user, unmount } = open((_values, given) => {
    signal = given;
    return new Promise(() => undefined);
  });
  await user.click(save());
  await waitFor(() => expect(signal).toBeDefined());
  unmount();
  expect(signal?.aborted).toBe(true);
});

test('what was typed is there after a reload, but for what must not be kept, and gone once it is sent', async () => {
  const draft = { key: 'test', omit: ['name'] } as const;
  const first = open(() => Promise.reject(new ApiError({ status: 503 })), { draft });
  await first.user.type(screen.getByLabelText('Name'), ' Kulkarni');
  await first.user.type(screen.getByLabelText('City'), ' City');
  await first.user.click(save());
  await screen.findByTestId('problem');
  first.unmount();

  const second = open(() => Promise.resolve(), { draft });
  expect(screen.getByLabelText('Name')).toHaveValue('Asha');
  expect(screen.getByLabelText('City')).toHaveValue('Pune City');
  await second.user.click(save());
  await waitFor(() => expect(sessionStorage.length).toBe(0));
  second.unmount();

  open(() => Promise.resolve(), { draft });
  expect(screen.getByLabelText('City')).toHaveValue('Pune');
});

test('a restored draft counts as unsaved, and the next person who logs in here does not see it', async () => {
  const draft = { key: 'test' } as const;
  function Screen() {
    const form = useAppForm({
      schema,
      defaultValues: { name: 'Asha', city: 'Pune' },
      onSubmit: () => undefined,
      draft,
    });
    return (
      <Form form={form} label="Place">
        <TextField name="city" label="City" />
        <p>{form.methods.formState.isDirty ? 'not saved' : 'as saved'}</p>
      </Form>
    );
  }
  startSession(franchiserUser({ id: 'asha' }));
  const first = render(<Screen />);
  await userEvent.setup().type(screen.getByLabelText('City'), ' City');
  first.unmount();
  endSession();

  startSession(franchiserUser({ id: 'ravi' }));
  const other = render(<Screen />);
  expect(screen.getByLabelText('City')).toHaveValue('Pune');
  expect(screen.getByText('as saved')).toBeVisible();
  other.unmount();

  startSession(franchiserUser({ id: 'asha' }));
  render(<Screen />);
  expect(screen.getByLabelText('City')).toHaveValue('Pune City');
  expect(screen.getByText('not saved')).toBeVisible();
});

function openStored(draft?: { key: string }) {
  const send = vi.fn<Send>(() => Promise.resolve());
  function Screen({ city }: { city: string }) {
    const form = useAppForm({ schema, defaultValues: { name: 'Asha', city }, fromQuery: true, onSubmit: send, draft });
    return (
      <Form form={form} label="Place">
        <TextField name="name" label="Name" />
        <TextField name="city" label="City" />
        <button type="submit">Save</button>
      </Form>
    );
  }
  const { rerender } = render(<Screen city="Pune" />);
  return { send, user: userEvent.setup(), fetch: (city: string) => rerender(<Screen city={city} />) };
}

test('a form without changes takes over newly fetched values, and keeps no draft of them', () => {
  const { fetch } = openStored({ key: 'test' });
  fetch('Nashik');
  expect(screen.getByLabelText('City')).toHaveValue('Nashik');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(sessionStorage.length).toBe(0);
});

test('a form with changes keeps them, says that the values were changed elsewhere, and loads them on request', async () => {
  const { fetch, user } = openStored({ key: 'test' });
  await user.type(screen.getByLabelText('Name'), ' Kulkarni');
  fetch('Nashik');
  expect(screen.getByRole('alert')).toHaveTextContent('These details were changed elsewhere while you were editing.');
  expect(screen.getByLabelText('Name')).toHaveValue('Asha Kulkarni');
  expect(screen.getByLabelText('City')).toHaveValue('Pune');
  await user.click(screen.getByRole('button', { name: 'Load the new details' }));
  expect(screen.getByLabelText('Name')).toHaveValue('Asha');
  expect(screen.getByLabelText('City')).toHaveValue('Nashik');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  expect(sessionStorage.length).toBe(0);
});

test('the notice of a change elsewhere goes when the form is set back to its first values', async () => {
  const { fetch, user } = openStored();
  await user.type(screen.getByLabelText('Name'), 'x');
  fetch('Nashik');
  expect(screen.getByRole('alert')).toBeVisible();
  await user.type(screen.getByLabelText('Name'), '{Backspace}');
  await waitFor(() => expect(screen.getByLabelText('City')).toHaveValue('Nashik'));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('a field is cleared when another field makes it right', async () => {
  const equal = judged<Values>(({ name, city }) => ({ city: name === city ? undefined : 'Both must be the same' }));
  const { user } = open(vi.fn<Send>(), { schema: equal });
  await user.click(save());
  const city = screen.getByLabelText('City');
  await waitFor(() => expect(city).toHaveAccessibleDescription('Error: Both must be the same'));
  await user.clear(screen.getByLabelText('Name'));
  await user.type(screen.getByLabelText('Name'), 'Pun');
  expect(city).toBeInvalid();
  await user.type(screen.getByLabelText('Name'), 'e');
  expect(city).toBeValid();
});

test('an error of the server stays while another field changes', async () => {
  const { user } = open(vi.fn<Send>(() => Promise.reject(refused({ city: ['Unknown city.'] }))));
  await user.click(save());
  const city = screen.getByLabelText('City');
  await waitFor(() => expect(city).toHaveAccessibleDescription('Error: Unknown city.'));
  await user.type(screen.getByLabelText('Name'), 'n');
  expect(city).toHaveAccessibleDescription('Error: Unknown city.');
});
