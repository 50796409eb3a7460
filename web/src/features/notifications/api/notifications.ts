import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `GET /notifications`: the customer's notifications, newest first, page by page. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications'],
  queryFn: ({ pageParam, signal }) =>
    data(api.GET('/notifications', { params: { query: pageParam ? { after: pageParam } : {} }, signal })),
  meta: { toast: 'refresh' },
  initialPageParam: '',
  getNextPageParam: ({ next }) => next ?? undefined,
});

/** The refetch interval of the header's count, in milliseconds. */
const COUNT_MS = 120_000;

/** `GET /notifications/unread`: how many of them were not read. */
export const unreadQuery = queryOptions({
  queryKey: ['notifications-unread'],
  queryFn: ({ signal }) => data(api.GET('/notifications/unread', { signal })),
  refetchInterval: COUNT_MS,
});

/** `POST /notifications/read`: marks notifications as read. */
export function useRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['NotificationsRead']) => data(api.POST('/notifications/read', { body })),
    meta: { toast: 'error', invalidates: [notificationsQuery.queryKey] },
    onSuccess: (unread) => client.setQueryData(unreadQuery.queryKey, unread),
  });
}

/** `POST /reminders/stop/{token}`: stops reminders by e-mail with the token of one. */
export function useStopReminders() {
  return useMutation({
    mutationFn: (token: string) =>
      envelope(
        api.POST('/reminders/stop/{token}', {
          params: { path: { token } },
          body: { 'List-Unsubscribe': 'One-Click' },
          bodySerializer: (body) => new URLSearchParams(body),
        }),
      ),
  });
}
