import { CopyButton } from '@/components/copy-button';

/** The order's id, to copy into support requests. */
export function OrderId({ id }: { id: string }) {
  return (
    <p className="order-id">
      <span className="text-muted">Order Id</span> <b className="tabular">{id}</b>
      <CopyButton value={id} what="order id" done="Id copied" />
    </p>
  );
}
