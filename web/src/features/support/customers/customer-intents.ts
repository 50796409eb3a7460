import type { Customer } from '../api/customers';
import { askGateway, endSessions, recheckDomain, resendInvoice, unlock } from '../api/help';
import type { Intent } from '../shared/reasoned-act';

/** The actions that take effect for a customer immediately. */
export function intents(c: Customer) {
  return {
    unlock: {
      title: 'Unlock the sign-in',
      effect:
        'Wrong codes, wrong passwords and the day’s SMS are forgotten. The customer can ask for a code and sign in at once.',
      label: 'Unlock',
      usual: ['Locked out by wrong codes', 'No SMS arrived', 'Wrong password too often'],
      act: (reason: string, key: string) => unlock(c.id, reason, key),
    },
    sessions: {
      title: 'End all sessions',
      effect: 'The customer is signed out on every device, at once, and signs in again with the password.',
      label: 'End sessions',
      usual: ['Lost phone', 'A sign-in that the customer does not know'],
      act: (reason: string, key: string) => endSessions(c.id, reason, key),
    },
    domain: {
      title: `Recheck ${c.domain}`,
      effect: 'A worker asks DNS now. The result appears in the timeline.',
      label: 'Recheck',
      usual: ['The customer has set the records', 'The domain shows an error'],
      act: (reason: string, key: string) => recheckDomain(c.id, reason, key),
    },
    payment: (id: string, reference: string) => ({
      title: `Ask the gateway about ${reference}`,
      effect: 'A worker asks the gateway now what became of the payment, and settles the answer. Nothing is charged.',
      label: 'Ask the gateway',
      usual: ['The customer says that the bank has charged it', 'The payment is stuck'],
      act: (reason: string, key: string) => askGateway(c.id, id, reason, key),
    }),
    invoice: (id: string, number: string) => ({
      title: `Send ${number}`,
      effect: 'The customer gets an SMS with the number and the page where it is downloaded.',
      label: 'Send by SMS',
      usual: ['The customer cannot find it', 'The customer asked for it'],
      act: (reason: string, key: string) => resendInvoice(c.id, id, reason, key),
    }),
  } satisfies Record<string, Intent | ((id: string, name: string) => Intent)>;
}
