/** Leave of staff to look at a customer's account, as the server tells it to the pages. */
export interface Viewing {
  id: string;
  customerId: string;
  /** In milliseconds. */
  endsAt: number;
}

const COOKIE = /^(?:__Host-)?F360-VIEWING=(.*)$/;

/** The view that is open in this browser, nothing in everybody's but that of staff who look at an account. */
export function readViewing(): Viewing | undefined {
  if (typeof document === 'undefined') return undefined;
  const value = document.cookie
    .split('; ')
    .map((part) => COOKIE.exec(part)?.[1])
    .find(Boolean);
  const [id, customerId, seconds] = value?.split('.') ?? [];
  return id && customerId && Number(seconds) > 0 ? { id, customerId, endsAt: Number(seconds) * 1000 } : undefined;
}
