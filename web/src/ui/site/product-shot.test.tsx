import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { featureGroups } from '@/content/features';
import { previews } from '@/content/home';
import { testimonials } from '@/content/testimonials';
import { tourSteps } from '@/content/tour';
import { tutorials } from '@/content/tutorials';
import { whyRows } from '@/content/why';
import { LARGE, PHONE, ProductShot, shotAddress, SMALL } from './product-shot';

const taken = Object.keys(import.meta.glob('/src/content/shots/*-light.webp')).map((path) =>
  path.replace(/^.*\//, '').replace(/-light\.webp$/, ''),
);

test('every picture of the product has one of a phone’s screen, in both themes', () => {
  expect(taken.length).toBeGreaterThan(5);
  for (const name of taken) {
    for (const theme of ['light', 'dark'] as const) expect(shotAddress(name, theme, '-phone'), name).toBeDefined();
  }
});

test('every picture that the texts name exists', () => {
  const named = [
    ...featureGroups.flatMap(({ picture }) => picture?.shot ?? []),
    ...previews.flatMap(({ shot }) => shot ?? []),
    ...testimonials.map(({ image }) => image),
    ...tourSteps.map(({ shot }) => shot),
    ...tutorials.flatMap(({ cover, steps }) => [cover, ...steps.map(({ shot }) => shot)]),
    ...whyRows.map(({ shot }) => shot),
  ];
  expect(named.filter((name) => !taken.includes(name))).toEqual([]);
});

/** Width and height of a WebP picture, from its extended header or its first frame (RFC 9649). */
function sizeOf(file: string): { width: number; height: number } {
  const data = readFileSync(file);
  const kind = data.toString('latin1', 12, 16);
  if (kind === 'VP8X') return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1 };
  if (kind === 'VP8 ') return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff };
  throw new Error(`${file} is of the kind ${kind}`);
}

test('every picture is as large as its page says', () => {
  const folder = join(import.meta.dirname, '../../content/shots');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.webp'))) {
    const declared = file.includes('-640.') ? SMALL : file.includes('-phone.') ? PHONE : LARGE;
    expect(sizeOf(join(folder, file)), file).toEqual(declared);
  }
});

test('on a phone the phone’s screen is shown, not a desktop’s at a width where nobody can read it', () => {
  const { container } = render(<ProductShot name="dashboard" alt="The dashboard" />);
  const pictures = [...container.querySelectorAll('picture')];
  expect(pictures).toHaveLength(2);
  for (const picture of pictures) {
    const first = picture.firstElementChild;
    expect(first?.tagName).toBe('SOURCE');
    expect(first).toHaveAttribute('media', '(max-width: 575.98px)');
    expect(first?.getAttribute('srcset')).toMatch(/phone/);
  }
});
