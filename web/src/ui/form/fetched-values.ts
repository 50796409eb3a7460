import { useEffect, useEffectEvent, useState } from 'react';
import type { DefaultValues, FieldValues, UseFormReturn } from 'react-hook-form';

export interface FetchedValues {
  /** True if the stored values have changed since the form took them, and the form has unsaved changes. */
  changed: boolean;
  /** Replaces the typed values by the stored ones. */
  load: () => void;
}

interface FetchedOptions<In extends FieldValues, Out> {
  methods: UseFormReturn<In, unknown, Out>;
  defaultValues: DefaultValues<In>;
  /** False while a submit is pending: the response of a save is no change by somebody else. */
  enabled: boolean;
  onLoaded: () => void;
}

/** Lets a form follow its query: a clean form takes newly fetched values, a dirty form keeps the typed ones and offers to load them. */
export function useFetchedValues<In extends FieldValues, Out>({
  methods,
  defaultValues,
  enabled,
  onLoaded,
}: FetchedOptions<In, Out>): FetchedValues {
  const { formState, reset } = methods;
  const { isDirty } = formState;
  const latest = JSON.stringify(defaultValues);
  const [taken, setTaken] = useState(latest);
  const changed = enabled && latest !== taken;
  const load = () => {
    reset(defaultValues);
    onLoaded();
    setTaken(latest);
  };
  const follow = useEffectEvent(load);
  useEffect(() => {
    if (changed && !isDirty) follow();
  }, [changed, isDirty, latest]);
  return { changed: changed && isDirty, load };
}
