import { t } from '@lingui/core/macro';
import BillingIcon from 'bootstrap-icons/icons/receipt.svg?component';
import DashboardIcon from 'bootstrap-icons/icons/grid.svg?component';
import LogoutIcon from 'bootstrap-icons/icons/box-arrow-right.svg?component';
import SwitchIcon from 'bootstrap-icons/icons/arrow-left-right.svg?component';
import PersonIcon from 'bootstrap-icons/icons/person.svg?component';
import StoreIcon from 'bootstrap-icons/icons/shop.svg?component';
import { NavLink } from 'react-router';
import { DisclosureMenu } from '@/ui/disclosure-menu';
import { mayOpen } from '@/lib/session/roles';
import { useSession } from '@/lib/session/session';
import { useLogout } from '../api/logout';

/** The account's menu in the header: the person's name, their screens, and Logout. */
export function ProfileMenu() {
  const { user, isActive, role, otherAccounts } = useSession();
  const logout = useLogout();
  const name = [user?.first_name, user?.last_name].filter(Boolean).join(' ') || user?.mobile || t`Account`;
  const label = (
    <>
      <span className="avatar" aria-hidden="true">
        {/^\p{L}/u.test(name) ? name.charAt(0).toUpperCase() : <PersonIcon />}
      </span>
      <span className="visually-hidden">{t`Account menu of ${name}`}</span>
      <span className="profile-name" aria-hidden="true">
        {name}
      </span>
    </>
  );
  return (
    <DisclosureMenu label={label} alignEnd>
      {role === 'owner' && (
        <li>
          <NavLink to="/account">
            <PersonIcon /> {t`View Details`}
          </NavLink>
        </li>
      )}
      {role === 'owner' && isActive && (
        <li>
          <NavLink to="/dashboard">
            <DashboardIcon /> {t`Dashboard`}
          </NavLink>
        </li>
      )}
      {mayOpen(role, 'billing') && (
        <li>
          <NavLink to="/subscription_list">
            <BillingIcon /> {t`Renewals & Billing`}
          </NavLink>
        </li>
      )}
      {role === 'manager' && (
        <li>
          <NavLink to="/account/store">
            <StoreIcon /> {t`Store`}
          </NavLink>
        </li>
      )}
      {(role !== 'owner' || otherAccounts) && (
        <li>
          <NavLink to="/accounts">
            <SwitchIcon /> {t`Switch account`}
          </NavLink>
        </li>
      )}
      <li className="nav-panel-rule">
        <button
          type="button"
          aria-disabled={logout.isPending || undefined}
          onClick={() => !logout.isPending && logout.mutate()}
        >
          {logout.isPending ? <span className="spinner" aria-hidden="true" /> : <LogoutIcon />} {t`Logout`}
        </button>
      </li>
    </DisclosureMenu>
  );
}
