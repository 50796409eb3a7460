import { Button } from '@/ui/button';
import type { JobAction } from '../api/jobs';
import type { Selection } from '../shared/use-selection';
import { Offer } from '../shared/offer';

export interface JobsBatchProps {
  selection: Selection;
  /** How many jobs match. */
  total: number;
  onAct: (action: JobAction) => void;
}

/** The actions available for the selected jobs; renders nothing without a selection. */
export function JobsBatch({ selection: { chosen, all, chooseAll, clear }, total, onAct }: JobsBatchProps) {
  const picked = all ? total : chosen.size;
  if (picked === 0) return null;
  return (
    <div className="console-batch" role="region" aria-label="Chosen jobs">
      <strong role="status">{picked.toLocaleString('en-IN')} chosen</strong>
      <Button size="sm" onClick={() => onAct('rerun')}>
        Rerun
      </Button>
      {!all && total > chosen.size && (
        <Button size="sm" variant="quiet" onClick={chooseAll}>
          Choose all {total.toLocaleString('en-IN')} that match
        </Button>
      )}
      <Offer onClick={() => onAct('snooze')}>Snooze</Offer>
      <Offer onClick={() => onAct('dismiss')}>Dismiss</Offer>
      <Offer onClick={() => onAct('cancel')}>Cancel jobs</Offer>
      <Button size="sm" variant="quiet" onClick={clear}>
        Clear selection
      </Button>
    </div>
  );
}
