import { t } from '@lingui/core/macro';
import BellIcon from 'bootstrap-icons/icons/bell.svg?component';
import { useQuery } from '@tanstack/react-query';
import { NavLink } from 'react-router';
import { unreadQuery } from '../api/notifications';
import './notifications.scss';

/** From here on the number is not told exactly. */
const MANY = 99;

/** The link to the notifications in the header, with the number of those not read. */
export function NotificationBell() {
  const { data } = useQuery(unreadQuery);
  const unread = data?.unread ?? 0;
  const count = unread >= MANY ? `${MANY}+` : String(unread);
  return (
    <NavLink to="/notifications" className="btn btn-icon notification-bell">
      <BellIcon />
      <span className="visually-hidden">{unread > 0 ? t`Notifications, ${count} not read` : t`Notifications`}</span>
      {unread > 0 && (
        <span className="notification-count tabular" aria-hidden="true">
          {count}
        </span>
      )}
    </NavLink>
  );
}
