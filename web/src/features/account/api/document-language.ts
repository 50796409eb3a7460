import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import type { LanguageCode } from '@/lib/languages';
import { profileQuery } from '@/domain/email-proof/api/profile';

/** `PUT /profile/document-language`: the second language of new documents; English means no second language. */
export function useSetDocumentLanguage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (language: LanguageCode) => envelope(api.PUT('/profile/document-language', { body: { language } })),
    onSuccess: ({ data }) => client.setQueryData(profileQuery.queryKey, data),
  });
}
