import EyeIcon from 'bootstrap-icons/icons/eye-fill.svg?component';
import { useEffect, useState } from 'react';
import { endSession } from '@/lib/session/session';
import { toast } from '@/lib/toast';
import { readViewing, type Viewing } from '@/lib/viewing';
import { endView } from '../api/help';
import './view-banner.scss';
import { Offer } from '../shared/offer';

/** Returns to the customer's page of the console, leaving no customer data in this browser. */
function leave(viewing: Viewing): void {
  endSession();
  location.assign(`/support/customers/${viewing.customerId}`);
}

function left(endsAt: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((endsAt - now) / 1000));
  return seconds >= 60 ? `${Math.ceil(seconds / 60)} minutes left` : `${seconds} seconds left`;
}

/** Warns on every page that this is a customer's account, and shows the remaining time; the view ends on timeout or by the button. */
export function ViewBanner({ viewing }: { viewing: Viewing }) {
  const [now, setNow] = useState(() => Date.now());
  const [ending, setEnding] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (!readViewing() || Date.now() >= viewing.endsAt) leave(viewing);
    }, 1000);
    return () => clearInterval(timer);
  }, [viewing]);
  const end = async () => {
    setEnding(true);
    try {
      await endView(viewing.id);
      leave(viewing);
    } catch {
      setEnding(false);
      toast.error('The view could not be ended. Please try again.');
    }
  };
  return (
    <aside className="view-banner" aria-label="Looking at a customer’s account">
      <EyeIcon />
      <p>
        <strong>You are looking at a customer’s account.</strong> Nothing can be changed. {left(viewing.endsAt, now)}.
      </p>
      <Offer pending={ending} onClick={() => void end()}>
        End the view
      </Offer>
    </aside>
  );
}
