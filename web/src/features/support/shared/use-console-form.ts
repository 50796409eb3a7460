import { useQueryClient } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import { useAppForm, type AppForm, type AppFormOptions } from '@/ui/form/use-app-form';
import { supportKey } from '../api/support';

/** A form of the console. Once it is sent, the console fetches all that it shows again, because an act can change any of it. */
export function useConsoleForm<In extends FieldValues, Out>(options: AppFormOptions<In, Out>): AppForm<In, Out> {
  const queries = useQueryClient();
  return useAppForm({
    ...options,
    onSubmit: async (values, signal) => {
      await options.onSubmit(values, signal);
      void queries.invalidateQueries({ queryKey: supportKey });
    },
  });
}
