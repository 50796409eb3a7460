import { beforeEach, expect, test, vi } from 'vitest';
import { chooseLanguage, chosenLanguage, LANGUAGE_KEY, language, pathIn } from './language';

beforeEach(() => localStorage.clear());

test('a path has the same place in each language', () => {
  expect(language).toBe('en');
  expect(pathIn('hi', '/')).toBe('/hi');
  expect(pathIn('hi', '/pricing?billing=annual#faq')).toBe('/hi/pricing?billing=annual#faq');
  expect(pathIn('en', '/')).toBe('/');
  expect(pathIn('en', '/pricing')).toBe('/pricing');
});

test('remembers a chosen language, and ignores an unsupported language', () => {
  expect(chosenLanguage()).toBeNull();
  chooseLanguage('hi');
  expect(chosenLanguage()).toBe('hi');
  localStorage.setItem(LANGUAGE_KEY, 'constructor');
  expect(chosenLanguage()).toBeNull();
});

test('blocked storage chooses nothing and breaks nothing', () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  const read = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(blocked);
  const write = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked);
  chooseLanguage('hi');
  expect(chosenLanguage()).toBeNull();
  read.mockRestore();
  write.mockRestore();
});
