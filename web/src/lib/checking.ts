import { t } from '@lingui/core/macro';
import { atom, getDefaultStore, useAtomValue } from 'jotai';

const texts = {
  none: '',
  short: t`Checking your browser. This takes a few seconds.`,
  long: t`Checking your browser. This can take two minutes on a slow device: there were many wrong attempts from elsewhere.`,
};

/** How long the computation takes that is running. */
export const checkAtom = atom<keyof typeof texts>('none');

/** The message while the browser computes, empty otherwise. */
export function useBrowserCheck(): string {
  return texts[useAtomValue(checkAtom, { store: getDefaultStore() })];
}
