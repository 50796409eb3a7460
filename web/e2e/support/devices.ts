import { widths } from './browser';

/** Every flow runs on a small and a wide screen, in both themes: name, width in CSS pixels, dark or not. */
export const devices: [name: string, width: number, dark: boolean][] = [
  ['a phone', widths.phone, false],
  ['a desktop, dark', widths.desktop, true],
];
