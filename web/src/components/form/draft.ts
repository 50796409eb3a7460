import { useCallback, useEffect } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';

const PREFIX = 'franchise360-draft-';

/** The values typed before a reload or sign-in, empty if none were kept. */
export function readDraft<In extends FieldValues>(key: string): Partial<In> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(PREFIX + key) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Partial<In>) : {};
  } catch {
    return {};
  }
}

interface DraftOptions<In extends FieldValues> {
  key: string;
  omit?: readonly FieldPath<In>[];
}

/** Saves a form's values for this tab while they are typed. Returns the function that deletes them. */
export function useDraft<In extends FieldValues, Out>(
  methods: UseFormReturn<In, unknown, Out>,
  draft: DraftOptions<In> | undefined,
): () => void {
  const key = draft?.key;
  const omitted = draft?.omit?.join(' ') ?? '';
  useEffect(() => {
    if (!key) return undefined;
    const subscription = methods.watch((values) => {
      const hidden = omitted.split(' ');
      const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name)));
      try {
        sessionStorage.setItem(PREFIX + key, JSON.stringify(kept));
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

/** Deletes a draft. */
export function forgetDraft(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch {
    // Nothing was kept.
  }
}
