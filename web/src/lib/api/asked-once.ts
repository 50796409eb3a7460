/** Options of a query whose answer is valid once, such as a link with a code: never retried, refetched or cached. */
export const askedOnce = {
  retry: false,
  gcTime: 0,
  staleTime: Infinity,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;
