import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useSession } from '@/lib/session/session';
import { Button } from '@/ui/button';
import { Notice } from '@/ui/notice';
import { profileQuery } from './api/profile';
import { SendProof } from './send-proof';
import '../payment/payment.scss';

const LATER_KEY = 'confirm-email-later';

/** The address that its owner has yet to confirm; null when it is confirmed, or when no e-mail is sent. */
function useUnproved() {
  const { role } = useSession();
  const { data } = useQuery({ ...profileQuery, enabled: role === 'owner' });
  return data && data.email && (data.email_state === 'unproved' || data.email_state === 'refused') ? data : null;
}

/** After a purchase: prompts the buyer to confirm the e-mail address, so that the invoice can be sent there. */
export function InvoiceByEmail() {
  const profile = useUnproved();
  if (!profile) return null;
  return (
    <Notice>
      <p className="fw-bold">{t`Where shall we send the invoice? Confirm ${profile.email}`}</p>
      <p>{t`Open the link in the e-mail we sent there. Until then we send no receipts or invoices to it.`}</p>
      <div className="banner-actions mt-2">
        <SendProof />
        <Link to="/account/security">{t`Change the address`}</Link>
      </div>
    </Notice>
  );
}

/** Above the account's screens until the address is confirmed. It can be closed for the session. */
export function ConfirmEmailBanner() {
  const profile = useUnproved();
  const { pathname } = useLocation();
  const [later, setLater] = useState(() => sessionStorage.getItem(LATER_KEY) !== null);
  if (!profile || later || pathname.startsWith('/account/')) return null;
  const handleLater = () => {
    sessionStorage.setItem(LATER_KEY, '1');
    setLater(true);
  };
  return (
    <div className="container mt-3">
      <Notice tone="warning">
        <div className="banner-row">
          <p>
            {profile.email_state === 'refused'
              ? t`Our e-mails to ${profile.email} are rejected. Change the address, or send the link again once it works.`
              : t`Confirm ${profile.email}: open the link in our e-mail. Until then we send no receipts or invoices to it.`}
          </p>
          <div className="banner-actions">
            <SendProof />
            <Link to="/account/security">{t`Change the address`}</Link>
            <Button variant="outline" size="sm" onClick={handleLater}>{t`Later`}</Button>
          </div>
        </div>
      </Notice>
    </div>
  );
}
