import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Button } from '@/ui/button';
import { translatePage } from '@/testing/translate-page';
import { surviveTranslators } from './translated-text';

let set: (change: Partial<Shown>) => void;
let stop: () => void;

interface Shown {
  pending: boolean;
  seconds: number;
  note: string;
  names: string[];
}

function Page() {
  const [shown, setShown] = useState<Shown>({ pending: false, seconds: 59, note: '', names: ['Asha', 'Bina'] });
  set = (change) => setShown((before) => ({ ...before, ...change }));
  const { pending, seconds, note, names } = shown;
  return (
    <main>
      <Button pending={pending}>Save</Button>
      <p data-testid="timer">
        Resend in {seconds} s{note && ', '}
        {note}
      </p>
      <p data-testid="names">{names.map((name) => name)}</p>
    </main>
  );
}

const shows = (id: string) => screen.getByTestId(id).textContent;
const change = (next: Partial<Shown>) => act(async () => set(next));

beforeAll(surviveTranslators);
beforeEach(async () => {
  render(<Page />);
  await act(async () => {
    stop = translatePage();
  });
});
// The test files of a process share one document.
afterEach(() => stop());

test('a spinner comes and goes beside a translated label', async () => {
  const button = screen.getByRole('button', { name: 'Save' });
  await change({ pending: true });
  expect(button.querySelector('.spinner')).toBeInTheDocument();
  await change({ pending: false });
  expect(button).toHaveTextContent(/^Save$/);
});

test('a translated number shows its new value', async () => {
  await change({ seconds: 58 });
  await change({ seconds: 57 });
  expect(shows('timer')).toBe('Resend in 57 s');
});

test('a text that comes and goes between translated ones keeps its place', async () => {
  await change({ note: 'please wait' });
  expect(shows('timer')).toBe('Resend in 59 s, please wait');
  await change({ note: '' });
  expect(shows('timer')).toBe('Resend in 59 s');
});

test('translated texts are removed and shown again', async () => {
  await change({ names: ['Bina'] });
  expect(shows('names')).toBe('Bina');
  await change({ names: ['Chitra', 'Bina', 'Devi'] });
  expect(shows('names')).toBe('ChitraBinaDevi');
});

test('a text that a translator wrapped, and one that it replaced in two steps, are changed', async () => {
  await change({ names: ['Ila'] });
  const names = screen.getByTestId('names');
  const font = document.createElement('font');
  await act(async () => {
    names.replaceChildren(font);
    font.append('Ila');
  });
  await change({ names: [] });
  await change({ names: ['Om', 'Uma'] });
  const [text] = names.childNodes;
  await act(async () => {
    names.insertBefore(document.createElement('font'), text!).textContent = 'Om';
    names.removeChild(text!);
  });
  await change({ names: ['Om!', 'Uma'] });
  expect(shows('names')).toBe('Om!Uma');
});
