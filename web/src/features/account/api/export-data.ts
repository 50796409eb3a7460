import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import type { NamedFile } from '@/lib/save-file';

/** `POST /profile/export`: returns all data held about the person as a file to save. */
export function useExportData() {
  return useMutation({
    mutationFn: async (password: string): Promise<NamedFile> => {
      const call = api.POST('/profile/export', { body: { password } });
      const content = await data(call);
      const { response } = await call;
      const name =
        /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'franchise360-data.json';
      return { blob: new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), name };
    },
    gcTime: 0,
  });
}
