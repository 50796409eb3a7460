import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import type { components } from '@/lib/api/schema.gen';
import { nameOfFile, type NamedFile } from '@/lib/save-file';

/** `POST /profile/export`: returns all data held about the person as a file to save. */
export function useExportData() {
  return useMutation({
    mutationFn: async (body: components['schemas']['AccountProof']): Promise<NamedFile> => {
      const call = api.POST('/profile/export', { body });
      const content = await data(call);
      const name = nameOfFile((await call).response, 'franchise360-data.json');
      return { blob: new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' }), name };
    },
    gcTime: 0,
  });
}
