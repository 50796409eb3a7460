import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextAreaField } from '@/ui/form/text-area-field';
import { TextField } from '@/ui/form/text-field';
import { useConsoleForm } from '../shared/use-console-form';
import { Modal } from '@/ui/modal';
import { listOf, ListPage } from '@/ui/list/list-page';
import { toast } from '@/lib/toast';
import { judged } from '@/lib/validation';
import { deleteMacro, macrosQuery, saveMacro, type ContactMacro } from '../api/contacts';
import { useMay } from '../api/rights';
import { useNow, When } from '../shared/when';
import { useChange } from '../api/use-change';
import { Refusal } from '../shared/refusal';
import '../customers/support-customers.scss';
import { Offer } from '../shared/offer';

type Draft = Partial<Pick<ContactMacro, 'id'>> & Pick<ContactMacro, 'title' | 'text'>;

interface DialogProps {
  draft: Draft;
  placeholders: string[];
  onDone: () => void;
  onClose: () => void;
}

function MacroDialog({ draft, placeholders, onDone, onClose }: DialogProps) {
  const form = useConsoleForm({
    schema: judged<{ title: string; text: string }>(({ title, text }) => ({
      title: title.trim() ? undefined : 'Give it a title.',
      text: text.trim() ? undefined : 'Write the reply.',
    })),
    defaultValues: { title: draft.title, text: draft.text },
    fromQuery: true,
    onSubmit: async ({ title, text }) => {
      await saveMacro(draft.id, { title: title.trim(), text });
      onDone();
    },
  });
  const remove = useChange(deleteMacro, { onSuccess: onDone });
  return (
    <Modal open title={draft.id ? 'Change the reply' : 'Save a reply'} onClose={onClose} closeOnBackdrop={false}>
      <Form form={form} className="reason-form" summary={false}>
        <TextField name="title" label="Title" maxLength={80} autoComplete="off" />
        <TextAreaField
          name="text"
          label="Text"
          hint={`Filled in from the request: ${placeholders.map((one) => `{${one}}`).join(', ')}.`}
          rows={8}
          maxLength={2000}
        />
        <Refusal error={remove.error} />
        <SubmitButton>{draft.id ? 'Save the change' : 'Save'}</SubmitButton>
        {draft.id && (
          <Button variant="quiet" onClick={() => remove.mutate(draft.id!)}>
            Delete the reply
          </Button>
        )}
      </Form>
    </Modal>
  );
}

/** The replies that staff choose from when they answer a contact request; admins write them. */
export function MacrosPage() {
  const macros = useQuery(macrosQuery);
  const mayChange = useMay('admin');
  const now = useNow();
  const [draft, setDraft] = useState<Draft>();
  return (
    <>
      <p>
        <Link to="/support/contacts">Contact requests</Link>
      </p>
      <ListPage
        title="Saved replies"
        query={listOf(macros, (data) => ({ data: data.macros }))}
        what="the saved replies"
        tellStale
        acts={
          mayChange && (
            <Button size="sm" onClick={() => setDraft({ title: '', text: '' })}>
              Save a reply
            </Button>
          )
        }
        empty={mayChange ? 'Save a reply that is sent often.' : 'Admins save replies that are sent often.'}
        rowKey={(macro) => macro.id}
        card={(macro) => (
          <li>
            <div className="contact-head">
              <h2>{macro.title}</h2>{' '}
              <span className="console-hint">
                {macro.changed_by} · <When at={macro.changed_at} now={now} />
              </span>
              {mayChange && (
                <Offer onClick={() => setDraft(macro)} of={macro.title}>
                  Change
                </Offer>
              )}
            </div>
            <p className="console-message">{macro.text}</p>
          </li>
        )}
      />
      {draft && (
        <MacroDialog
          draft={macros.data?.macros.find(({ id }) => id === draft.id) ?? draft}
          placeholders={macros.data?.placeholders ?? []}
          onClose={() => setDraft(undefined)}
          onDone={() => {
            setDraft(undefined);
            toast.success('Saved');
          }}
        />
      )}
    </>
  );
}
