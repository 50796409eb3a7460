import { expect, test } from 'vitest';
import { consent } from './consent';

test('the words of a version of consent stay as they are: others need another version', () => {
  expect(consent).toEqual({
    version: '2026-11',
    newsletter:
      'Yes, send me the newsletter, at most twice a month. I can leave it at any time by the link in each issue.',
    contact: 'Use what I wrote here to answer me, and for nothing else.',
  });
});
