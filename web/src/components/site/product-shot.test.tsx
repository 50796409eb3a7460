import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProductShot, shotAddress } from './product-shot';

const taken = Object.keys(import.meta.glob('/src/content/shots/*-light.webp')).map((path) =>
  path.replace(/^.*\//, '').replace(/-light\.webp$/, ''),
);

test('every picture of the product has one of a phone’s screen, in both themes', () => {
  expect(taken.length).toBeGreaterThan(5);
  for (const name of taken) {
    for (const theme of ['light', 'dark'] as const) expect(shotAddress(name, theme, '-phone'), name).toBeDefined();
  }
});

test('on a phone the phone’s screen is shown, not a desktop’s at a width where nobody can read it', () => {
  const { container } = render(<ProductShot name="dashboard" alt="The dashboard" sketch="cards" />);
  const pictures = [...container.querySelectorAll('picture')];
  expect(pictures).toHaveLength(2);
  for (const picture of pictures) {
    const first = picture.firstElementChild;
    expect(first?.tagName).toBe('SOURCE');
    expect(first).toHaveAttribute('media', '(max-width: 575.98px)');
    expect(first?.getAttribute('srcset')).toMatch(/phone/);
  }
});
