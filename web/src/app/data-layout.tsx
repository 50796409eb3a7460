import { Outlet } from 'react-router';
import { WithData } from '@/components/with-data';

/** The frame of all routes that ask the server. */
export function DataLayout() {
  return (
    <WithData>
      <Outlet />
    </WithData>
  );
}
