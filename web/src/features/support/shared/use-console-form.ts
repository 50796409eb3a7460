import { useQueryClient } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { useAppForm, type AppForm, type AppFormOptions } from '@/ui/form/use-app-form';
import { explain, isAbort } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { supportKey } from '../api/support';

/** A form of the console. Once it is sent, the console fetches all that it shows again, because an act can change any of it. */
export function useConsoleForm<In extends FieldValues, Out>(options: AppFormOptions<In, Out>): AppForm<In, Out> {
  const queries = useQueryClient();
  return useAppForm({
    ...options,
    onSubmit: async (values, signal) => {
      try {
        await options.onSubmit(values, signal);
      } catch (error) {
        // The form is closed, so that it cannot say that the server refused the act.
        if (signal.aborted && !isAbort(error)) toast.error(explain(error));
        throw error;
      }
      void queries.invalidateQueries({ queryKey: supportKey });
    },
  });
}
