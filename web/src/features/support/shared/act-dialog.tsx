import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { useAppForm } from '@/ui/form/use-app-form';
import { Modal } from '@/ui/modal';
import { Table } from '@/ui/list/table';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { judged } from '@/lib/validation';
import { actPreviewQuery, askAct, type ActContent, type StaffAct, type StaffActKind } from '../api/acts';
import { actWords } from '../staff/act-words';
import { Facts } from './facts';
import { ReasonForm, useReasonDraft } from './reason-dialog';

/** An act's facts as names and values; a fact named "… today" shares a row with its "… after". */
export function ActFacts({ facts }: { facts: StaffAct['facts'] }) {
  const today = facts.filter(({ name }) => facts.some((other) => other.name === afterOf(name)));
  const rest = facts.filter(({ name }) => !today.some((one) => one.name === name || afterOf(one.name) === name));
  return (
    <>
      {today.length > 0 && (
        <Table
          className="table act-compared"
          caption="Today and after"
          rows={today}
          rowKey={({ name }) => name}
          columns={[
            { label: '', cell: ({ name }) => name.replace(/ today$/, '') },
            { label: 'Today', cell: ({ value }) => value },
            { label: 'After', cell: ({ name }) => facts.find((other) => other.name === afterOf(name))?.value },
          ]}
        />
      )}
      <Facts className="entry-details act-facts" of={rest.map(({ name, value }) => [name, value])} />
    </>
  );
}

/** The "after" name that pairs with a "today" fact. */
const afterOf = (name: string) => (name.endsWith(' today') ? name.replace(/ today$/, ' after') : '');

interface ActFormProps {
  content: ActContent;
  draftKey: string | undefined;
  onClose: () => void;
  /** Returns to the fields of the act, so that the user can correct them. */
  onBack?: () => void;
}

/** Previews an act, and requests it with a reason. */
function ActForm({ content, draftKey, onClose, onBack }: ActFormProps) {
  const [key] = useState(newIdempotencyKey);
  const preview = useQuery(actPreviewQuery(content));
  const { title, effect, usual } = actWords[content.kind];
  const { facts = [], needs_approval: two } = preview.data ?? {};
  return (
    <ReasonForm
      preview={preview}
      explained={({ status, message }) =>
        (status === 409 || status === 422) && (
          <>
            <p role="alert" className="console-error">
              {message}
            </p>
            {onBack && (
              <Button variant="outline" onClick={onBack}>
                Back
              </Button>
            )}
          </>
        )
      }
      effect={
        <>
          <p>{effect}</p>
          <ActFacts facts={facts} />
          <p>{two ? 'A second admin has to approve it.' : 'It is done at once.'} It happens once.</p>
        </>
      }
      label={two ? 'Ask for it' : title}
      suggestions={usual}
      act={(reason) => askAct(content, reason, key)}
      draftKey={draftKey}
      onClose={onClose}
    />
  );
}

const titleOf = (kind: StaffActKind, who: string) => [actWords[kind].title, who].filter(Boolean).join(': ');

export interface ActDialogProps {
  content: ActContent;
  /** Whom it is for; empty for many. */
  who: string;
  onClose: () => void;
}

/** Previews an act that needs nothing but a reason, and requests it. */
export function ActDialog({ content, who, onClose }: ActDialogProps) {
  const title = titleOf(content.kind, who);
  const { draftKey, close } = useReasonDraft(title, onClose);
  return (
    <Modal open title={title} onClose={close} closeOnBackdrop={false}>
      <ActForm content={content} draftKey={draftKey} onClose={onClose} />
    </Modal>
  );
}

export interface ActFieldsDialogProps<Values> extends Omit<ActDialogProps, 'content'> {
  kind: StaffActKind;
  /** The title above the fields, if it is not that of the act. */
  title?: string;
  values: Values;
  problemsOf?: (values: Values) => Partial<Record<keyof Values, string | undefined>>;
  contentOf: (values: Values) => Omit<ActContent, 'kind'>;
  /** What the act would do, unless the preview alone says it. */
  effect?: ReactNode;
  label?: string;
  /** The fields. */
  children: ReactNode;
}

/** Asks for what an act needs, previews it in place of the fields, and requests it with a reason. */
export function ActFieldsDialog<Values extends object>({
  kind,
  who,
  title = titleOf(kind, who),
  values,
  problemsOf,
  contentOf,
  effect = <p>{actWords[kind].effect}</p>,
  label = 'Show what it would do',
  children,
  onClose,
}: ActFieldsDialogProps<Values>) {
  const [content, setContent] = useState<ActContent>();
  const { draftKey, close } = useReasonDraft(titleOf(kind, who), onClose);
  const form = useAppForm<FieldValues, Values>({
    schema: judged<Values>((typed) => problemsOf?.(typed) ?? {}),
    defaultValues: values,
    onSubmit: (typed) => setContent({ kind, ...contentOf(typed) }),
  });
  return (
    <Modal open title={content ? titleOf(kind, who) : title} onClose={close} closeOnBackdrop={false}>
      {content ? (
        <ActForm content={content} draftKey={draftKey} onClose={onClose} onBack={() => setContent(undefined)} />
      ) : (
        <Form form={form} className="reason-form" summary={false}>
          {effect}
          {children}
          <SubmitButton>{label}</SubmitButton>
        </Form>
      )}
    </Modal>
  );
}
