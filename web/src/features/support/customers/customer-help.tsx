import { Button } from '@/ui/button';
import { DisclosureMenu } from '@/ui/disclosure-menu';
import type { ActContent } from '../api/acts';
import type { Customer } from '../api/customers';
import { may, type Role } from '../api/rights';
import type { BilledInvoice } from '../money/correct-recipient';
import { intents } from './customer-intents';
import type { Intent } from '../shared/reasoned-act';
import { Offer } from '../shared/offer';
import type { PageAct } from '../shell/palette';
import { isAskedFor } from './request-words';

/** The open dialog. */
export type Open =
  | Intent
  | 'grace'
  | 'mobile'
  | 'switch'
  | 'stop'
  | 'view'
  | { payment: string; held: boolean }
  | { ask: ActContent }
  | { billed: BilledInvoice };

/** The states of a payment about which the gateway can be asked. */
export const undecided = new Set(['created', 'pending', 'failed', 'expired']);
const graceful = new Set(['active', 'grace', 'expired']);

const groups = ['Sign-in', 'Plan', 'Payment', 'Domain'] as const;

/** An act that staff can begin at any time. */
interface Act extends PageAct {
  group: (typeof groups)[number];
}

/** The acts available at any time, in the order of their groups. */
export function actsOf(c: Customer, role: Role | undefined, onOpen: (open: Open) => void): Act[] {
  const all = intents(c);
  const acts: Act[] = [];
  const offer = (when: boolean, group: Act['group'], label: string, open: Open, words = '') => {
    if (when) acts.push({ group, label, words: `${group} ${words}`, run: () => onOpen(open) });
  };
  const helps = may(role, 'help');
  const payment = c.last_payment && undecided.has(c.last_payment.state) ? c.last_payment.id : '';
  offer(helps, 'Sign-in', 'Unlock sign-in', all.unlock, 'codes locked password');
  offer(helps && c.open_sessions > 0, 'Sign-in', 'End sessions', all.sessions, 'sign out devices');
  offer(
    helps && c.totp_enabled && !isAskedFor(c, 'reset_authenticator'),
    'Sign-in',
    'Reset authenticator',
    { ask: { kind: 'reset_authenticator', customer_id: c.id } },
    'totp two factor',
  );
  offer(helps && Boolean(c.mobile_change), 'Sign-in', 'Stop the change of mobile', 'stop', 'phone number');
  offer(
    helps && !c.mobile_change && !isAskedFor(c, 'change_mobile'),
    'Sign-in',
    'Change a lost mobile',
    'mobile',
    'phone number sim',
  );
  const switches = helps && c.state === 'active' && !isAskedFor(c, 'switch_plan');
  offer(helps && graceful.has(c.state), 'Plan', 'Extend grace', 'grace', 'days more late renewal');
  offer(switches, 'Plan', 'Switch the plan', 'switch', 'upgrade downgrade');
  offer(switches, 'Plan', 'Cancel the plan', { ask: { kind: 'cancel_plan', customer_id: c.id } }, 'refund end');
  offer(
    payment !== '' && (helps || may(role, 'money')),
    'Payment',
    'Ask the gateway',
    all.payment(payment, 'the last payment'),
    'check status',
  );
  offer(helps && Boolean(c.domain), 'Domain', 'Recheck domain', all.domain, 'dns');
  return acts;
}

interface HelpButtonsProps {
  acts: readonly Act[];
  /** Opens the account as the customer sees it; undefined if the role may not. */
  onView: (() => void) | undefined;
}

/** The acts in menus by group; an act that is alone in its group is a button. */
export function HelpButtons({ acts, onView }: HelpButtonsProps) {
  if (acts.length === 0 && !onView) return null;
  return (
    <div className="customer-acts" role="group" aria-label="Help">
      {onView && (
        <Button size="sm" onClick={onView}>
          Look at the account
        </Button>
      )}
      {groups.map((group) => {
        const [first, ...others] = acts.filter((act) => act.group === group);
        if (!first) return null;
        if (others.length === 0)
          return (
            <Offer key={group} onClick={first.run}>
              {first.label}
            </Offer>
          );
        return (
          <DisclosureMenu key={group} label={group} alignEnd>
            {[first, ...others].map(({ label, run }) => (
              <li key={label}>
                <button type="button" onClick={run}>
                  {label}
                </button>
              </li>
            ))}
          </DisclosureMenu>
        );
      })}
    </div>
  );
}
