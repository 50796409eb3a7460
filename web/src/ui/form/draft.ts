import { useCallback, useEffect, useLayoutEffect } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { getSession } from '@/lib/session/session';

const PREFIX = 'franchise360-draft-';

/** A draft is its writer's: another account that logs in here after a session has ended is not shown it. */
function placeOf(key: string): string {
  const id = getSession().user?.id;
  return id ? `${PREFIX}${id}-${key}` : PREFIX + key;
}

/** The values typed before a reload or sign-in; empty without a draft. */
export function readDraft<In extends FieldValues>(key: string): Partial<In> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(placeOf(key)) ?? '{}');
    return typeof stored === 'object' && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

interface DraftOptions<In extends FieldValues> {
  key: string;
  omit?: readonly FieldPath<In>[];
}

/** Saves a form's values for this tab while they are typed, and puts them in again. Returns the function that deletes them. */
export function useDraft<In extends FieldValues, Out>(
  methods: UseFormReturn<In, unknown, Out>,
  draft: DraftOptions<In> | undefined,
): () => void {
  const key = draft?.key;
  const omitted = draft?.omit?.join(' ') ?? '';
  useDraftAgain(methods, key);
  useEffect(() => {
    if (!key) return undefined;
    const subscription = methods.watch((values) => {
      const hidden = omitted.split(' ');
      const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name)));
      try {
        sessionStorage.setItem(placeOf(key), JSON.stringify(kept));
      } catch {
        // If storage is blocked, nothing is kept.
      }
    });
    return () => subscription.unsubscribe();
  }, [key, methods, omitted]);

  return useCallback(() => {
    if (key) forgetDraft(key);
  }, [key]);
}

/** Puts the values of a draft into their form, where they count as changes that are not saved. */
function useDraftAgain<In extends FieldValues, Out>(
  methods: UseFormReturn<In, unknown, Out>,
  key: string | undefined,
): void {
  const { getValues, reset } = methods;
  useLayoutEffect(() => {
    const draft = key ? readDraft<In>(key) : {};
    if (Object.keys(draft).length > 0) reset({ ...getValues(), ...draft }, { keepDefaultValues: true });
  }, [key, getValues, reset]);
}

/** Deletes a draft, including a draft begun before signing in. */
export function forgetDraft(key: string): void {
  try {
    sessionStorage.removeItem(placeOf(key));
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // Nothing was kept.
  }
}
