import type { BankCredit, BankCreditUse, DeductedTax, SupportTransfer, TransferProposal } from '../api/transfers';
import { rupees } from '../customers/customer-words';

export const creditStates: Record<BankCredit['state'], string> = {
  open: 'To assign',
  used: 'Used',
  dismissed: 'Dismissed',
};

export const proformaStates: Record<SupportTransfer['state'], string> = {
  open: 'Waits for money',
  paid: 'Paid',
  expired: 'Expired',
  cancelled: 'Ended without a transfer',
};

export const taxStates: Record<DeductedTax['state'], string> = {
  claimed: 'Claimed by the customer',
  in_form_168: 'In Form 168',
  certificate: 'Certificate received',
  matched: 'Matched',
};

/** Where deducted tax appears, and the name of its certificate. GST appears in the GST portal, not in the income tax account. */
export const taxPapers: Record<DeductedTax['kind'], { account: string; shows: string; certificate: string }> = {
  income_tax: {
    account: 'Form 168',
    shows: 'Form 168 shows, in rupees',
    certificate: 'Number of the certificate (Form 131, earlier 16A)',
  },
  gst: {
    account: 'the GST portal',
    shows: 'The GST portal shows (TDS and TCS credit received), in rupees',
    certificate: 'Number of the certificate (GSTR-7A)',
  },
};

/** The state of deducted tax, in words. */
export const taxStateOf = (kind: DeductedTax['kind'], state: DeductedTax['state']) =>
  kind === 'gst' && state === 'in_form_168' ? 'In the GST portal' : taxStates[state];

export const taxNames: Record<DeductedTax['kind'], string> = { income_tax: 'Income tax', gst: 'GST' };

const bases: Record<TransferProposal['basis'], string> = {
  account: 'on the customer’s account number',
  utr: 'with the number that the customer reported',
  reference: 'named in the bank’s remark',
  amount: 'by its amount alone',
};

export const percent = (bps: number) => `${bps / 100} %`;

function fitText(p: TransferProposal): string {
  const tds = `${percent(p.tds_rate_bps)} income tax (${rupees(p.tds_paise)})`;
  const gst = `2 % GST (${rupees(p.gst_tds_paise)})`;
  switch (p.fit) {
    case 'exact':
      return 'the exact amount';
    case 'tds':
      return `less ${tds}`;
    case 'gst_tds':
      return `less ${gst}`;
    case 'tds_and_gst_tds':
      return `less ${tds} and ${gst}`;
    case 'part':
      return `a part of ${rupees(p.due_paise)}`;
    default:
      return `${rupees(p.over_paise)} too much`;
  }
}

/** What a credit may pay, and why that is thought. */
export const proposalText = (p: TransferProposal) =>
  `${p.number}${p.customer_name && ` of ${p.customer_name}`}: ${fitText(p)}, ${bases[p.basis]}${p.expired ? '; the offer has expired' : ''}`;

/** The most bills that the server proposes for one credit. */
const MOST_PROPOSALS = 5;

/** Which of several open bills a credit fits. The work list says the same. */
export function fitsText(proposals: TransferProposal[]): string {
  const count = proposals.length < MOST_PROPOSALS ? proposals.length : `At least ${MOST_PROPOSALS}`;
  return `${count} open bills fit: ${proposals.map(({ number }) => number).join(', ')}.`;
}

/** What a use that waits would do, for the question whether it is approved. */
export function questionOfUse(use: BankCreditUse): string {
  switch (use.kind) {
    case 'return':
      return `the return of ${rupees(use.amount_paise)}`;
    case 'dismissal':
      return `the dismissal of ${rupees(use.amount_paise)}`;
    case 'release':
      return `that ${rupees(use.amount_paise)} is taken from unpaid bills`;
    default:
      return `its use for ${use.number}`;
  }
}

const useStates: Record<BankCreditUse['state'], string> = {
  waiting: 'waits for a colleague',
  requested: 'is being booked',
  declined: 'declined',
  done: 'booked',
  failed: 'failed',
  released: 'released again',
};

/** The tax accepted with the money, in words; empty if zero. */
function taxOfUse({ tds_paise: tds, gst_tds_paise: gst }: BankCreditUse): string {
  const parts = [tds > 0 && `${rupees(tds)} income tax`, gst > 0 && `${rupees(gst)} GST`].filter(Boolean);
  return parts.length > 0 ? ` and ${parts.join(' and ')} deducted` : '';
}

/** What a part of a credit was used for, and how far that is. */
export function textOfUse(use: BankCreditUse): string {
  const what =
    use.kind === 'order'
      ? `${rupees(use.amount_paise)}${taxOfUse(use)} for ${use.number}`
      : use.kind === 'return'
        ? `${rupees(use.amount_paise)} back, UTR ${use.utr}`
        : use.kind === 'release'
          ? `${rupees(use.amount_paise)} taken from unpaid bills`
          : 'Dismissed';
  const by = use.requested_by_name ? `, asked by ${use.requested_by_name}` : ', by itself';
  return `${what}: ${useStates[use.state]}${by}${use.failure && `. ${use.failure}`}`;
}
