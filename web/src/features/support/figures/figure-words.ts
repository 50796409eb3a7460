/** A share in hundredths of a percent: "4.5%", or a dash where there is nothing to share. */
export const share = (bps: number | null) =>
  bps === null ? '–' : `${(bps / 100).toLocaleString('en-IN', { maximumFractionDigits: 1 })}%`;

/** The share of a part, in hundredths of a percent. */
export const shareOf = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10000));

export const number = (n: number) => n.toLocaleString('en-IN');

const purposes: Record<string, string> = {
  sign_up: 'Sign-up',
  password_reset: 'Password reset',
  change_mobile: 'New mobile',
  change_email: 'New e-mail',
  erasure: 'Erasure',
};

export const purposeName = (purpose: string) => purposes[purpose] ?? purpose;
