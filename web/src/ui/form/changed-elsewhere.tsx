import { t } from '@lingui/core/macro';
import { Button } from '../button';
import { Notice } from '../notice';
import type { FetchedValues } from './fetched-values';

/** Warns before a save overwrites what another tab or person has stored since the form was opened. */
export function ChangedElsewhere({ changed, load }: FetchedValues) {
  if (!changed) return null;
  return (
    <Notice tone="warning" live>
      <p>{t`These details were changed elsewhere while you were editing. Saving replaces them with yours.`}</p>
      <Button className="mt-2" variant="outline" size="sm" onClick={load}>{t`Load the new details`}</Button>
    </Notice>
  );
}
