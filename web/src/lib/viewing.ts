/** The permission of staff to view a customer's account, as the server's cookie describes it. */
export interface Viewing {
  id: string;
  customerId: string;
  /** In milliseconds since 1970. */
  endsAt: number;
}

const COOKIE = /^(?:__Host-)?F360-VIEWING=(.*)$/;

/** The view that is open in this browser; undefined except for staff who are viewing an account. */
export function readViewing(): Viewing | undefined {
  if (typeof document === 'undefined') return undefined;
  const value = document.cookie
    .split('; ')
    .map((part) => COOKIE.exec(part)?.[1])
    .find(Boolean);
  const [id, customerId, seconds] = value?.split('.') ?? [];
  return id && customerId && Number(seconds) > 0 ? { id, customerId, endsAt: Number(seconds) * 1000 } : undefined;
}
