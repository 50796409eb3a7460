import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { Button } from '@/components/button';
import { Modal } from '@/components/modal';
import { EmptyState, QueryStates } from '@/components/states';
import { explain, toApiError } from '@/lib/api/errors';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import { deleteMacro, macrosQuery, saveMacro, type ContactMacro } from '../api/contacts';
import { useMay } from '../api/rights';
import { inPlace } from '../api/support';
import { useNow, When } from './when';
import './support-customers.scss';

type Draft = Partial<Pick<ContactMacro, 'id'>> & Pick<ContactMacro, 'title' | 'text'>;

interface DialogProps {
  draft: Draft;
  placeholders: string[];
  onDone: () => void;
  onClose: () => void;
}

interface FieldErrorProps {
  id: string;
  problem: string;
}

function FieldError({ id, problem }: FieldErrorProps) {
  return problem ? (
    <p id={id} role="alert" className="console-error">
      {problem}
    </p>
  ) : null;
}

function MacroDialog({ draft, placeholders, onDone, onClose }: DialogProps) {
  const [title, setTitle] = useState(draft.title);
  const [text, setText] = useState(draft.text);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const act = useMutation({
    ...inPlace,
    mutationFn: (what: 'save' | 'delete') =>
      what === 'delete' && draft.id ? deleteMacro(draft.id) : saveMacro(draft.id, { title: title.trim(), text }),
    onSuccess: onDone,
    onError: (error) => {
      const { title: ofTitle, text: ofText } = toApiError(error).fields;
      const ofFields = { title: ofTitle?.join(' ') ?? '', text: ofText?.join(' ') ?? '' };
      setProblems((ofTitle ?? ofText) ? ofFields : { title: explain(error) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = { title: title.trim() ? '' : 'Give it a title.', text: text.trim() ? '' : 'Write the reply.' };
    setProblems(missing);
    if (!missing.title && !missing.text && !act.isPending) act.mutate('save');
  };
  return (
    <Modal open title={draft.id ? 'Change the reply' : 'Save a reply'} onClose={onClose} closeOnBackdrop={false}>
      <form className="reason-form" onSubmit={submit} noValidate>
        <label htmlFor="macro-title">Title</label>
        <FieldError id="macro-title-problem" problem={problems.title ?? ''} />
        <input
          id="macro-title"
          className="input"
          maxLength={80}
          autoComplete="off"
          value={title}
          aria-invalid={problems.title ? true : undefined}
          aria-describedby={problems.title ? 'macro-title-problem' : undefined}
          onChange={(event) => setTitle(event.target.value)}
        />
        <label htmlFor="macro-text">Text</label>
        <FieldError id="macro-text-problem" problem={problems.text ?? ''} />
        <textarea
          id="macro-text"
          className="input"
          rows={8}
          maxLength={2000}
          value={text}
          aria-invalid={problems.text ? true : undefined}
          aria-describedby={`macro-hint${problems.text ? ' macro-text-problem' : ''}`}
          onChange={(event) => setText(event.target.value)}
        />
        <p id="macro-hint" className="console-hint">
          Filled in from the request: {placeholders.map((one) => `{${one}}`).join(', ')}.
        </p>
        <Button type="submit" pending={act.isPending}>
          {draft.id ? 'Save the change' : 'Save'}
        </Button>
        {draft.id && (
          <Button variant="quiet" onClick={() => act.mutate('delete')}>
            Delete the reply
          </Button>
        )}
      </form>
    </Modal>
  );
}

/** The replies that staff choose from when they answer a contact request; admins write them. */
export function MacrosPage() {
  usePageMeta({ title: 'Saved replies' });
  const macros = useQuery(macrosQuery);
  const queries = useQueryClient();
  const mayChange = useMay('admin');
  const now = useNow();
  const [draft, setDraft] = useState<Draft>();
  const list = macros.data?.macros ?? [];
  return (
    <>
      <p>
        <Link to="/support/contacts">Contact requests</Link>
      </p>
      <div className="console-bar">
        <h1>Saved replies</h1>
        {mayChange && (
          <Button size="sm" onClick={() => setDraft({ title: '', text: '' })}>
            Save a reply
          </Button>
        )}
      </div>
      <QueryStates query={macros} what="the saved replies" lines={6} tellStale />
      {macros.data && list.length === 0 && (
        <EmptyState title="Nothing here">
          {mayChange ? 'Save a reply that is sent often.' : 'Admins save replies that are sent often.'}
        </EmptyState>
      )}
      <ul className="console-contacts">
        {list.map((macro) => (
          <li key={macro.id}>
            <div className="contact-head">
              <h2>{macro.title}</h2>{' '}
              <span className="console-hint">
                {macro.changed_by} · <When at={macro.changed_at} now={now} />
              </span>
              {mayChange && (
                <Button size="sm" variant="outline" onClick={() => setDraft(macro)}>
                  Change<span className="visually-hidden"> {macro.title}</span>
                </Button>
              )}
            </div>
            <p className="console-message">{macro.text}</p>
          </li>
        ))}
      </ul>
      {draft && (
        <MacroDialog
          draft={draft}
          placeholders={macros.data?.placeholders ?? []}
          onClose={() => setDraft(undefined)}
          onDone={() => {
            setDraft(undefined);
            toast.success('Saved');
            void queries.invalidateQueries(macrosQuery);
          }}
        />
      )}
    </>
  );
}
