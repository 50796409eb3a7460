import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderRoutes } from '@/testing/render';
import { ShortcutsDialog, usePageKeys } from './shortcuts';

const pressed: string[] = [];

function Page() {
  const [open, setOpen] = useState(false);
  usePageKeys({ g: () => pressed.push('g'), '?': () => setOpen(true) });
  return (
    <>
      <input aria-label="Reason" />
      <input role="combobox" aria-label="Search" aria-expanded="false" aria-controls="none" />
      <input type="checkbox" aria-label="Choose" />
      <p contentEditable suppressContentEditableWarning>
        Note
      </p>
      {open && <ShortcutsDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function open() {
  pressed.length = 0;
  return renderRoutes([{ path: 'console', element: <Page /> }]);
}

test('a key acts on the page and on a checkbox, not where somebody types or with another key', async () => {
  const { user } = open();
  await user.keyboard('g');
  screen.getByLabelText('Choose').focus();
  await user.keyboard('g');
  expect(pressed).toEqual(['g', 'g']);
  await user.type(screen.getByLabelText('Reason'), 'going');
  expect(screen.getByLabelText('Reason')).toHaveValue('going');
  screen.getByLabelText('Choose').focus();
  await user.keyboard('{Control>}g{/Control}{Meta>}g{/Meta}{Alt>}g{/Alt}x');
  expect(pressed).toEqual(['g', 'g']);
});

test('the empty search asks for help with a question mark, and nothing else does', async () => {
  const { user } = open();
  await user.type(screen.getByLabelText('Reason'), 'why?');
  await user.type(screen.getByLabelText('Search'), 'who?');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await user.clear(screen.getByLabelText('Search'));
  await user.type(screen.getByLabelText('Search'), '?');
  expect(await screen.findByRole('dialog', { name: 'Keys' })).toBeVisible();
  await user.keyboard('g');
  expect(pressed).toEqual([]);
});

test('single keys are switched off on this device, and stay so', async () => {
  const { user } = open();
  await user.keyboard('?');
  await user.click(await screen.findByLabelText(/Single-key shortcuts on this device/));
  expect(localStorage.getItem('franchise360-console-keys')).toBe('off');
  await user.keyboard('{Escape}');
  await user.keyboard('g');
  expect(pressed).toEqual([]);
});
