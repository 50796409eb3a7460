import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, data, envelope } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';

/** `GET /message-preferences`: by which channels reminders come. */
export const preferencesQuery = queryOptions({
  queryKey: ['message-preferences'],
  queryFn: ({ signal }) => data(api.GET('/message-preferences', { signal })),
  meta: { toast: 'refresh' },
});

/** `PUT /message-preferences`: chooses them. */
export function useSetPreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['MessagePreferencesChange']) =>
      envelope(api.PUT('/message-preferences', { body })),
    onSuccess: ({ data: saved }) => client.setQueryData(preferencesQuery.queryKey, saved),
  });
}

/** `PUT /message-preferences/whatsapp`: opts in to messages by WhatsApp, or out of them. */
export function useSetWhatsApp() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: components['schemas']['WhatsAppConsentChange']) =>
      envelope(api.PUT('/message-preferences/whatsapp', { body })),
    onSuccess: ({ data: saved }) => client.setQueryData(preferencesQuery.queryKey, saved),
  });
}
