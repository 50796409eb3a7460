import { queryOptions } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `GET /subscription/term-value`: what the product knows of the plan's term, null without a paid plan. */
export const termValueQuery = queryOptions({
  queryKey: ['term-value'],
  queryFn: ({ signal }) => data(api.GET('/subscription/term-value', { signal })),
});
