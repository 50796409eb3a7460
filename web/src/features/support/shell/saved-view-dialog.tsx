import { Button } from '@/ui/button';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextField } from '@/ui/form/text-field';
import { useConsoleForm } from '../shared/use-console-form';
import { Modal } from '@/ui/modal';
import { judged } from '@/lib/validation';
import { changeView, deleteView, saveView, type SavedViewRequest } from '../api/saved-views';
import { useChange } from '../api/use-change';
import { Refusal } from '../shared/refusal';

/** A view as it is edited; one with an id exists already. */
export interface ViewDraft extends SavedViewRequest {
  id?: string;
}

export interface SavedViewDialogProps {
  draft: ViewDraft;
  onClose: () => void;
}

/** Names and shares a view, or deletes an existing one. */
export function SavedViewDialog({ draft: { id, ...draft }, onClose }: SavedViewDialogProps) {
  const form = useConsoleForm({
    schema: judged<{ name: string; shared: boolean }>(({ name }) => ({
      name: name.trim() ? undefined : 'Give it a name.',
    })),
    defaultValues: { name: draft.name, shared: draft.shared },
    onSubmit: async ({ name, shared }) => {
      const view = { name: name.trim(), shared };
      await (id ? changeView(id, view) : saveView({ ...draft, ...view }));
      onClose();
    },
  });
  const remove = useChange(deleteView, { onSuccess: onClose });
  return (
    <Modal open title={id ? 'Change the view' : 'Save these filters'} onClose={onClose} closeOnBackdrop={false}>
      <Form form={form} className="reason-form" summary={false}>
        <TextField name="name" label="Name" maxLength={60} autoComplete="off" />
        <CheckboxField name="shared" label="All staff see it" />
        <Refusal error={remove.error} />
        <SubmitButton>{id ? 'Save the change' : 'Save'}</SubmitButton>
        {id && (
          <Button variant="quiet" onClick={() => remove.mutate(id)}>
            Delete the view
          </Button>
        )}
      </Form>
    </Modal>
  );
}
