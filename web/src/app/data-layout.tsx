import { Outlet } from 'react-router';
import { WithData } from '@/domain/with-data';

/** The layout of all routes that call the server. */
export function DataLayout() {
  return (
    <WithData>
      <Outlet />
    </WithData>
  );
}
