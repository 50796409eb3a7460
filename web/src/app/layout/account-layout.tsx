import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import { ActingNotice } from '@/domain/acting-notice';
import { ConfirmEmailBanner } from '@/domain/email-proof/confirm-email';
import { mayOpen, type Area } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';
import '@/styles/app.scss';

interface Screen {
  to: string;
  label: string;
  area: Area;
  /** Shown only with a plan. */
  active?: boolean;
  nested?: boolean;
  /** Shown only to members, whose store page is a part of the owner's account. */
  members?: boolean;
}

const screens: Screen[] = [
  { to: '/dashboard', label: t`Dashboard`, area: 'owner', active: true },
  { to: '/subscription_list', label: t`Renewals & Billing`, area: 'billing' },
  { to: '/subscription_store', label: t`Store`, area: 'owner' },
  { to: '/account/store', label: t`Store`, area: 'store', members: true },
  { to: '/requests', label: t`My requests`, area: 'owner', nested: true },
  { to: '/account', label: t`Account`, area: 'owner', nested: true },
];

/** A row of links that scrolls on a phone, to the current one. */
function useCurrentInView() {
  const row = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const current = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && current)
      row.current.scrollLeft = current.offsetLeft - (row.current.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return row;
}

/** The layout of the account's screens: their navigation, then the screen. */
export function AccountLayout() {
  const { isActive, role } = useSession();
  const row = useCurrentInView();
  return (
    <>
      <nav className="account-nav" aria-label={t`Your account`}>
        <div ref={row} className="container">
          {screens
            .filter(({ area, active, members }) => {
              return mayOpen(role, area) && (isActive || !active) && (role !== 'owner' || !members);
            })
            .map(({ to, label, nested }) => (
              <NavLink key={to} to={to} end={!nested}>
                {label}
              </NavLink>
            ))}
        </div>
      </nav>
      <ActingNotice />
      <ConfirmEmailBanner />
      <Outlet />
    </>
  );
}
