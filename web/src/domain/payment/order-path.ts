/** The page of an order, found by the transaction that paid for it. */
export function orderPath(transactionId: string): string {
  return `/subscription_list/${encodeURIComponent(transactionId)}`;
}
