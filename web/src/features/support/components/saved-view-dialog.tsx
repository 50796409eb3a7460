import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { explain, toApiError } from '@/lib/api/errors';
import { changeView, deleteView, saveView, type SavedViewRequest } from '../api/saved-views';
import { inPlace } from '../api/support';

/** A view as it is edited; one with an id exists already. */
export interface ViewDraft extends SavedViewRequest {
  id?: string;
}

export interface SavedViewDialogProps {
  draft: ViewDraft;
  onDone: () => void;
  onClose: () => void;
}

/** Names and shares a view, or deletes an existing one. */
export function SavedViewDialog({ draft: { id, ...draft }, onDone, onClose }: SavedViewDialogProps) {
  const [name, setName] = useState(draft.name);
  const [shared, setShared] = useState(draft.shared);
  const [problem, setProblem] = useState('');
  const act = useMutation({
    ...inPlace,
    mutationFn: async (what: 'keep' | 'delete') => {
      if (!id) await saveView({ ...draft, name: name.trim(), shared });
      else if (what === 'delete') await deleteView(id);
      else await changeView(id, { name: name.trim(), shared });
    },
    onSuccess: onDone,
    onError: (error) => setProblem(toApiError(error).fields.name?.join(' ') ?? explain(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!name.trim()) setProblem('Give it a name.');
    else if (!act.isPending) act.mutate('keep');
  };
  return (
    <Modal open title={id ? 'Change the view' : 'Save these filters'} onClose={onClose} closeOnBackdrop={false}>
      <form className="reason-form" onSubmit={submit} noValidate>
        <label htmlFor="view-name">Name</label>
        {problem && (
          <p id="view-problem" role="alert" className="console-error">
            {problem}
          </p>
        )}
        <input
          id="view-name"
          className="input"
          maxLength={60}
          autoComplete="off"
          value={name}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'view-problem' : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <label className="console-switch">
          <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} /> All staff see
          it
        </label>
        <Button type="submit" pending={act.isPending}>
          {id ? 'Save the change' : 'Save'}
        </Button>
        {id && (
          <Button variant="quiet" onClick={() => act.mutate('delete')}>
            Delete the view
          </Button>
        )}
      </form>
    </Modal>
  );
}
