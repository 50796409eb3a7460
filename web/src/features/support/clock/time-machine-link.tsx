import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { meQuery } from '../api/queries';
import { useMay } from '../api/rights';

/** Whether the member who is signed in can look ahead here. */
export function useTimeMachine(): boolean {
  const { data } = useQuery(meQuery);
  return useMay('help') && data?.time_machine === true;
}

/** Leads to what would follow for a customer, where that can be looked at. */
export function TimeMachineLink({ id }: { id: string }) {
  if (!useTimeMachine()) return null;
  return (
    <p>
      <Link to={`/support/customers/${id}/time-machine`}>Time machine: what would follow</Link>
    </p>
  );
}
