import { NavLink, Outlet } from 'react-router';
import { useSession } from '@/lib/session/session';
import '@/styles/app.scss';

/** The screens of the account; the dashboard is open to people with a plan only. */
const screens = [
  { to: '/dashboard', label: 'Dashboard', active: true },
  { to: '/subscription_list', label: 'Renewals & Billing' },
  { to: '/subscription_store', label: 'Store' },
  { to: '/account', label: 'Account', nested: true },
];

/** The frame of the account's screens: the ways between them, then the screen. */
export function AccountLayout() {
  const { isActive } = useSession();
  return (
    <>
      <nav className="account-nav" aria-label="Your account">
        <div className="container">
          {screens
            .filter(({ active }) => isActive || !active)
            .map(({ to, label, nested }) => (
              <NavLink key={to} to={to} end={!nested}>
                {label}
              </NavLink>
            ))}
        </div>
      </nav>
      <Outlet />
    </>
  );
}
