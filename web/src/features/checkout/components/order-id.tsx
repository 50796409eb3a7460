import { t } from '@lingui/core/macro';
import { CopyButton } from '@/ui/copy-button';

/** The order's id, to copy into support requests. */
export function OrderId({ id }: { id: string }) {
  return (
    <p className="order-id">
      <span className="text-muted">{t`Order Id`}</span> <b className="tabular">{id}</b>
      <CopyButton value={id} what={t`order id`} done={t`Id copied`} />
    </p>
  );
}
