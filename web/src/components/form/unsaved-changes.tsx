import { useEffect } from 'react';
import { useFormContext, useFormState } from 'react-hook-form';
import { useBlocker } from 'react-router';
import { useSession } from '@/lib/session/session';
import { Button } from '../button';
import { Modal } from '../modal';
import { forgetDraft } from './draft';

export interface UnsavedChangesProps {
  /** The draft to forget when the changes are given up. */
  draftKey?: string;
}

/** Asks before unsaved changes of the form around it are lost: on the way to another screen or tab, and when the window closes. */
export function UnsavedChanges({ draftKey }: UnsavedChangesProps) {
  const { control, reset } = useFormContext();
  const { isDirty } = useFormState({ control });
  const { isAuthenticated } = useSession();
  const blocker = useBlocker(({ currentLocation: from, nextLocation: to }) => isDirty && isAuthenticated && (from.pathname !== to.pathname || from.search !== to.search));

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
  const footer = (
    <>
      <Button variant="quiet" onClick={handleLeave}>
        Leave without saving
      </Button>
      <Button onClick={() => blocker.reset?.()}>Keep editing</Button>
    </>
  );
  return (
    <Modal open={blocker.state === 'blocked'} title="You have unsaved changes" onClose={() => blocker.reset?.()} footer={footer}>
      <p>What you changed on this screen is not saved yet.</p>
    </Modal>
  );
}
