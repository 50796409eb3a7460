import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Modal } from '@/components/modal';
import { ErrorState, Loading, Skeleton } from '@/components/states';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { toApiError } from '@/lib/api/errors';
import { actPreviewQuery, actsKey, askAct, type ActContent, type StaffAct } from '../api/acts';
import { actWords } from './act-words';
import { ReasonDialog } from './reason-dialog';

/** What staff are told of an act, as names and values. */
export function ActFacts({ facts }: { facts: StaffAct['facts'] }) {
  return (
    <dl className="entry-details act-facts">
      {facts.map(({ name, value }, index) => (
        // The list is a stored record, so its order never changes.
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface ActDialogProps {
  content: ActContent;
  /** Whom it is for; empty for many. */
  who: string;
  onDone: (done: { message: string }) => void;
  onClose: () => void;
}

/** Shows what an act would do, and asks for it with a reason. */
export function ActDialog({ content, who, onDone, onClose }: ActDialogProps) {
  const [key] = useState(newIdempotencyKey);
  const queries = useQueryClient();
  const preview = useQuery(actPreviewQuery(content));
  const { title, effect, usual } = actWords[content.kind];
  const whole = who ? `${title}: ${who}` : title;
  if (!preview.data) {
    let waiting: ReactNode = (
      <Loading what="what it would do" onRetry={() => void preview.refetch()}>
        <Skeleton lines={4} />
      </Loading>
    );
    if (preview.error) {
      const { status, message } = toApiError(preview.error);
      waiting =
        status === 409 || status === 422 ? (
          <p role="alert" className="console-error">
            {message}
          </p>
        ) : (
          <ErrorState error={preview.error} onRetry={() => void preview.refetch()} what="what it would do" />
        );
    }
    return (
      <Modal open title={whole} onClose={onClose} closeOnBackdrop={false}>
        {waiting}
      </Modal>
    );
  }
  const { facts, needs_approval: two } = preview.data;
  return (
    <ReasonDialog
      title={whole}
      effect={
        <>
          <p>{effect}</p>
          <ActFacts facts={facts} />
          <p>{two ? 'A second admin has to approve it.' : 'It is done at once.'} It happens once.</p>
        </>
      }
      label={two ? 'Ask for it' : title}
      suggestions={usual}
      act={(reason) => askAct(content, reason, key)}
      onClose={onClose}
      onDone={(done) => {
        void queries.invalidateQueries({ queryKey: actsKey });
        onDone(done);
      }}
    />
  );
}
