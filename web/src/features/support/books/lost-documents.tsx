import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Notice } from '@/ui/notice';
import { ErrorState } from '@/ui/states';
import { lostDocumentsQuery, restoreDocuments } from '../api/help';
import { useMay } from '../api/rights';
import { ReasonedAct, type Intent } from '../shared/reasoned-act';
import { useNow, When } from '../shared/when';
import { Offer } from '../shared/offer';

const restoring: Intent = {
  title: 'Render the lost documents again?',
  label: 'Render them again',
  effect:
    'A worker renders each of them and puts it back where its bytes are the ones that were handed out. Nothing can happen twice: no number changes and no customer is told.',
  usual: ['After a restore', 'The object store lost them'],
  act: restoreDocuments,
};

/** Documents missing from the object store, and the button to restore them; renders nothing if all are there. */
export function LostDocuments() {
  const lost = useQuery(lostDocumentsQuery);
  const now = useNow();
  const [asking, setAsking] = useState(false);
  const mayRestore = useMay('help', 'money');
  const maySeeJobs = useMay('ops');
  if (!lost.data)
    return lost.error ? (
      <ErrorState error={lost.error} onRetry={() => void lost.refetch()} what="the lost documents" />
    ) : null;
  const { count, different, since } = lost.data;
  if (count === 0) return null;
  return (
    <section aria-label="Lost documents">
      <Notice tone="danger">
        <p>
          <strong>{count.toLocaleString('en-IN')}</strong>{' '}
          {count === 1 ? 'document is missing' : 'documents are missing'} from the object store
          {since && (
            <>
              , the first since <When at={since} now={now} />
            </>
          )}
          . {count === 1 ? 'Its customer' : 'Their customers'} cannot download {count === 1 ? 'it' : 'them'}.
        </p>
        {different > 0 && (
          <p>
            {different.toLocaleString('en-IN')} of them came out with other bytes than were handed out, and stay lost:
            copy them from a backup of the object store.
          </p>
        )}
        {mayRestore && <Offer onClick={() => setAsking(true)}>Render again</Offer>}{' '}
        {maySeeJobs && <Link to="/support/jobs?kind=restore_documents&state=all">What became of earlier tries</Link>}
      </Notice>
      {asking && <ReasonedAct intent={restoring} onClose={() => setAsking(false)} />}
    </section>
  );
}
