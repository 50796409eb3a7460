import { useMutation } from '@tanstack/react-query';
import { api, envelope } from '@/lib/api/client';
import { toast } from '@/lib/toast';

/** `DELETE /subscription/plan-change/{id}`: cancels the change that is scheduled for the renewal. */
export function useCallOffChange() {
  return useMutation({
    mutationFn: (id: string) => envelope(api.DELETE('/subscription/plan-change/{id}', { params: { path: { id } } })),
    // Handled here and not in the component, which is unmounted by then: the change is no longer shown.
    onSuccess: ({ message }) => toast.success(message),
    meta: { invalidates: 'account' },
  });
}
