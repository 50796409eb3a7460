import { t } from '@lingui/core/macro';
/** Which of the promised parts are not in the account itself, and where they run. */
export function ScopeNote() {
  return (
    <p className="scope-note text-muted">{t`Orders, stock, shipping, your customers’ payments, commissions, rewards, branding and apps run in connected systems that we set up with you. In this account you keep your outlets, partners, domain, plan and invoices.`}</p>
  );
}
