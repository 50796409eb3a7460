import { useMutation } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';

/** `POST /profile/coordinates`: a suggested place in full. */
export function useCoordinates() {
  return useMutation({ mutationFn: (placeId: string) => data(api.POST('/profile/coordinates', { body: { placeId } })) });
}
