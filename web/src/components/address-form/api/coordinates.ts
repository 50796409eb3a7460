import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `POST /profile/coordinates`: a suggested place in full, which ends the session of its search. */
export function useCoordinates() {
  return useMutation({
    mutationFn: (body: { placeId: string; session: string }) => data(api.POST('/profile/coordinates', { body })),
  });
}
