import { useEffect } from 'react';
import { useFormContext, useFormState } from 'react-hook-form';
import { useBlocker } from 'react-router';
import { useSession } from '@/lib/session/session';
import { latePart } from '@/start/page/late';
import { forgetDraft } from './draft';

const Dialog = latePart(async () => (await import('./unsaved-changes-dialog')).UnsavedChangesDialog);

export interface UnsavedChangesProps {
  /** The draft to delete if the changes are discarded. */
  draftKey?: string;
}

/** Asks before unsaved changes of the surrounding form are lost by navigation, a change of tab or closing the window. */
export function UnsavedChanges({ draftKey }: UnsavedChangesProps) {
  const { control, reset } = useFormContext();
  const { isDirty } = useFormState({ control });
  const { isAuthenticated } = useSession();
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && isAuthenticated && (from.pathname !== to.pathname || from.search !== to.search),
  );

  useEffect(() => {
    if (!isDirty) return undefined;
    const handleUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', handleUnload);
    return () => window.removeEventListener('beforeunload', handleUnload);
  }, [isDirty]);

  const handleLeave = () => {
    reset();
    if (draftKey) forgetDraft(draftKey);
    blocker.proceed?.();
  };
  // The dialog is loaded once something has been changed, so that it is ready when needed.
  if (!isDirty) return null;
  return <Dialog open={blocker.state === 'blocked'} onLeave={handleLeave} onStay={() => blocker.reset?.()} />;
}
