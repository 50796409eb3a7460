import { useQuery } from '@tanstack/react-query';
import { Modal } from '@/ui/modal';
import { Async } from '@/ui/states';
import { activityQuery, type StaffAccount, type StaffActivity as Activity } from '../api/staff';
import { PasskeyList } from './own-passkeys';
import { When } from '../shared/when';
import { Offer } from '../shared/offer';

interface ListsProps {
  activity: Activity;
  now: number;
  onEnd?: ((id: string) => void) | undefined;
}

/** Live sessions, which may be ended, and the last sign-ins with their network. */
export function ActivityLists({ activity: { sessions, sign_ins: signIns }, now, onEnd }: ListsProps) {
  return (
    <>
      <h3>Sessions</h3>
      {sessions.length === 0 && <p>Not signed in anywhere.</p>}
      <ul className="trail-list">
        {sessions.map((one) => (
          <li key={one.id}>
            {one.own ? 'This one, from' : 'From'} {one.address || 'an unknown network'}, since{' '}
            <When at={one.created_at} now={now} />, used <When at={one.seen_at} now={now} />{' '}
            {onEnd && !one.own && (
              <Offer onClick={() => onEnd(one.id)} of={`the session from ${one.address}`}>
                End
              </Offer>
            )}
          </li>
        ))}
      </ul>
      <h3>Sign-ins</h3>
      {signIns.length === 0 && <p>Nobody signed in or tried to.</p>}
      <ul className="trail-list">
        {signIns.map((one) => (
          <li key={`${one.at} ${one.reason}`}>
            {one.failed ? <strong>{one.reason}</strong> : one.reason}, <When at={one.at} now={now} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface ActivityProps {
  account: StaffAccount;
  mayEnd: boolean;
  onEnd: (id: string) => void;
  onClose: () => void;
}

/** How a member of staff is signed in, was lately, and may sign in by passkey. */
export function StaffActivity({ account, mayEnd, onEnd, onClose }: ActivityProps) {
  const activity = useQuery(activityQuery(account.id));
  return (
    <Modal open title={`Sign-ins of ${account.name}`} onClose={onClose}>
      <Async query={activity} what="the sign-ins" lines={4} />
      {activity.data && (
        <>
          <ActivityLists activity={activity.data} now={activity.dataUpdatedAt} onEnd={mayEnd ? onEnd : undefined} />
          <h3>Passkeys</h3>
          <PasskeyList passkeys={activity.data.passkeys} now={activity.dataUpdatedAt} />
        </>
      )}
    </Modal>
  );
}
