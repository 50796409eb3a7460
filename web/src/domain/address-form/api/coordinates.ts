import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `POST /profile/coordinates`: the details of a suggested place; it ends the session of the search. */
export function useCoordinates() {
  return useMutation({
    mutationFn: (body: { placeId: string; session: string }) => data(api.POST('/profile/coordinates', { body })),
  });
}
