/**
 * Options of a query whose answer counts once, such as a link with a code: it is asked for once per page, never again by itself, and
 * never kept.
 */
export const askedOnce = {
  meta: { quiet: true },
  retry: false,
  gcTime: 0,
  staleTime: Infinity,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
