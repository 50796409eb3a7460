import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import { supportKey } from './support';

type Options<Result, Of> = Pick<UseMutationOptions<Result, Error, Of>, 'onSuccess' | 'onError'> & { toast?: 'error' };

/** A call that changes nothing on the console's pages: it opens a document, reads a file, or signs in or out. */
export function useCall<Result, Of = void>(
  call: (of: Of) => Promise<Result>,
  { toast, ...options }: Options<Result, Of> = {},
) {
  return useMutation({ ...options, mutationFn: call, meta: { ...(toast && { toast }) } });
}

/** A change by staff. The console then fetches all that it shows again, because any of it can have changed. */
export function useChange<Result, Of = void>(
  change: (of: Of) => Promise<Result>,
  { toast, ...options }: Options<Result, Of> = {},
) {
  return useMutation({
    ...options,
    mutationFn: change,
    meta: { invalidates: [supportKey], ...(toast && { toast }) },
  });
}
