import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { toast } from '@/lib/toast';

/** `DELETE /subscription/plan-change/{id}`: cancels the change that is scheduled for the renewal. */
export function useCallOffChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => envelope(api.DELETE('/subscription/plan-change/{id}', { params: { path: { id } } })),
    meta: { quiet: true },
    // Handled here and not in the component, which is unmounted by then: the change is no longer shown.
    onSuccess: ({ message }) => toast.success(message),
    // A refusal means that the change has already taken effect, so the data on the screen is outdated either way.
    onSettled: () => client.invalidateQueries({ predicate: ({ meta }) => meta?.public !== true }),
  });
}
