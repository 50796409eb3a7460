import { TransNoContext } from '@lingui/react/server';
import type { TransProps } from '@lingui/react';
import { i18n } from './i18n';

const lingui = { i18n };

/** What becomes of the macro of that name: a text with elements in it. */
export function Trans(props: TransProps) {
  return <TransNoContext {...props} lingui={lingui} />;
}
