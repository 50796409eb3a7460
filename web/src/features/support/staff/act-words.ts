import type { Decision, StaffAct, StaffActKind } from '../api/acts';

/** The title, effect and usual reasons of each kind of act. */
export const actWords: Record<StaffActKind, { title: string; effect: string; usual: string[] }> = {
  short_payment: {
    title: 'Accept a short payment',
    effect: 'The order takes effect. What is missing becomes a discount on the invoice, whose total is what came in.',
    usual: ['The bank kept a charge', 'Agreed with the customer'],
  },
  end_debit: {
    title: 'End an undecided debit',
    effect:
      'The debit counts as failed: the customer is told and can pay manually. If the bank debits it after all, the money renews the plan or is refunded.',
    usual: ['The gateway has no answer from the bank', 'The gateway’s support confirmed that it failed'],
  },
  correct_recipient: {
    title: 'Correct the recipient',
    effect:
      'A credit note takes the invoice back whole, and an invoice of today to the right recipient takes its place. No money moves. The customer is told by e-mail and gets both. Later invoices follow the address of the account: have the customer correct that too.',
    usual: ['Wrong GSTIN typed by the customer', 'The company name was missing', 'Billed to the wrong State'],
  },
  cancel_plan: {
    title: 'Cancel the plan',
    effect:
      'Everything that was paid for ends at once, add-ons and a paid next term too. What is unused goes back through the gateway, each payment with a credit note. The customer is told.',
    usual: ['The customer asked for it', 'Bought by mistake'],
  },
  switch_plan: {
    title: 'Switch the plan',
    effect:
      'The days that are left of what was paid count against the other plan. The customer is told, and is never charged automatically.',
    usual: ['The customer asked for it', 'Bought the wrong plan', 'Compensation for an outage'],
  },
  reset_authenticator: {
    title: 'Reset the authenticator',
    effect: 'For a customer who lost phone and recovery codes. Say in the reason how you know who is asking.',
    usual: ['Lost phone; called back on the number on file', 'Lost phone; identity seen in a video call'],
  },
  change_mobile: {
    title: 'Change a lost mobile',
    effect:
      'For a customer who has lost the old number. A person with the new number can set a new password by a code, so be sure who is asking. It waits after it is approved; the old number and the e-mail address are told, and can stop it.',
    usual: ['Lost SIM', 'Old number given up'],
  },
  outage_grace: {
    title: 'More grace after an outage',
    effect:
      'Everybody whose days of grace ended in this time gets more days and is told. Customers who have renewed are left out.',
    usual: ['The gateway took no payments', 'The site was down'],
  },
  open_books: {
    title: 'Open locked books',
    effect:
      'Entries can be dated in these months again, also where their return is filed. Another admin approves it; the audit trail keeps who asked, who approved, and why.',
    usual: ['A filed month is amended', 'Locked too early'],
  },
};

/** What is decided about, in a few words. */
export function actTitle({ kind, customer_name: name }: StaffAct): string {
  const { title } = actWords[kind];
  return name ? `${title}: ${name}` : title;
}

export const decisions: Record<Decision, { label: string; effect: string; usual: string[] }> = {
  approve: {
    label: 'Approve',
    effect: 'It is done once: at once, or for a lost mobile when its wait is over.',
    usual: ['Checked with the customer', 'Checked'],
  },
  decline: { label: 'Decline', effect: 'Nothing is done.', usual: ['Not agreed with the customer', 'Wrong amount'] },
  stop: {
    label: 'Stop',
    effect: 'It does not happen. Ask for it again if it is still needed.',
    usual: ['The customer asked for it', 'Somebody else asked in the customer’s name'],
  },
  withdraw: { label: 'Withdraw', effect: 'Nothing is done.', usual: ['Asked for by mistake', 'No longer needed'] },
};
