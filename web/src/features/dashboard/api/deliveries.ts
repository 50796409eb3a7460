import { queryOptions, useMutation } from '@tanstack/react-query';
import { api, data, envelope } from '@/lib/api/client';
import { API_PREFIX } from '@/lib/api/fetch';
import { uploadBody, uploadName } from '@/lib/upload';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** `GET /deliveries`: what the customer gets for each bought feature and add-on. */
export const deliveriesQuery = queryOptions({
  queryKey: [...dashboardQuery.queryKey, 'deliveries'],
  queryFn: async ({ signal }) => (await data(api.GET('/deliveries', { signal }))).deliveries,
});

/** The address of a file, which only the account's own sessions can open. */
export const deliveryFile = (id: string, file: string) => `${API_PREFIX}/deliveries/${id}/files/${file}`;

const addFile = (id: string, file: File) =>
  data(
    api.POST('/deliveries/{id}/files', {
      params: { path: { id }, query: { name: uploadName(file) } },
      ...uploadBody(file),
    }),
  );

export interface Provided {
  note: string;
  files: readonly File[];
}

/** Sends the files one after the other, then the note, which lets the delivery go on. */
export function useProvide(id: string) {
  return useMutation({
    mutationFn: async ({ note, files }: Provided) => {
      for (const file of files) await addFile(id, file);
      return envelope(api.POST('/deliveries/{id}/provide', { params: { path: { id } }, body: { note } }));
    },
    meta: { invalidates: [deliveriesQuery.queryKey] },
  });
}
