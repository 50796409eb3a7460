import { t } from '@lingui/core/macro';
import { CopyButton } from '@/ui/copy-button';
import type { Transfer } from '@/domain/payment/api/transfers';

/** Where to transfer to and how much, each with a button that copies it. */
export function TransferAccount({ of: bill }: { of: Transfer }) {
  const rows: [name: string, value: string, copied: string][] = [
    [t`Account number`, bill.account_number, bill.account_number],
    [t`IFSC`, bill.ifsc, bill.ifsc],
    [t`Beneficiary`, bill.beneficiary, bill.beneficiary],
    [t`Bank`, bill.bank, bill.bank],
    [t`Exact amount`, bill.rest, bill.exact_rest],
    [t`Payment reference`, bill.number, bill.number],
  ];
  return (
    <>
      <dl className="transfer-account">
        {rows
          .filter(([, value]) => value)
          .map(([name, value, copied]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="tabular">
                {value} <CopyButton value={copied} what={name} done={t`Copied`} />
              </dd>
            </div>
          ))}
      </dl>
      <p className="text-muted text-sm">
        {bill.own_account
          ? t`This account number is yours alone: what you transfer to it is recognised automatically.`
          : t`Transfer the exact amount, and then tell us its reference number (UTR) below. We compare it with our bank’s statement and activate then.`}
      </p>
    </>
  );
}
