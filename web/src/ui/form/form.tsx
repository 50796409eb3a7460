import { t } from '@lingui/core/macro';
import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  type FocusEvent,
  type FormEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { FormProvider, useFormContext, useFormState, type FieldPath, type FieldValues } from 'react-hook-form';
import { useBrowserCheck } from '@/lib/checking';
import { useSlow } from '@/lib/use-slow';
import { Button, type ButtonProps } from '../button';
import { WayOn } from '../way-on';
import { ChangedElsewhere } from './changed-elsewhere';
import type { AppForm, FormProblem } from './use-app-form';
import '@/styles/app.scss';

interface FormUi {
  id: string;
  pending: boolean;
  /** Whether the form lists its errors above its fields. */
  summary: boolean;
  problem: FormProblem | null;
  retry: () => void;
  labels: Map<string, string>;
}

const FormUiContext = createContext<FormUi | null>(null);

/** What fields need from the surrounding form; null outside a form. */
export const useOptionalFormUi = (): FormUi | null => useContext(FormUiContext);

/** What the submit button needs from the surrounding form. */
function useFormUi(): FormUi {
  const ui = useOptionalFormUi();
  if (!ui) throw new Error('a submit button must stand inside <Form>');
  return ui;
}

/** The id of a field's control, derived from its name. */
export function fieldId(formId: string, name: string): string {
  return `${formId}-${name}`;
}

export interface FormProps<In extends FieldValues, Out> {
  form: AppForm<In, Out>;
  /** The form's name for assistive technology; a dialog has one already. */
  label?: string;
  className?: string;
  /** False for a small form: its errors are at its fields and above its button only. */
  summary?: boolean;
  children: ReactNode;
}

/** A form with the shared behaviour. Its error summary is above the fields and is focused after a failed submit. */
export function Form<In extends FieldValues, Out>({
  form,
  label,
  className = 'form',
  summary = true,
  children,
}: FormProps<In, Out>) {
  const { id, pending, problem, retry } = form;
  const labels = useMemo(() => new Map<string, string>(), []);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    form.submit();
  };
  // A field with an error is validated again on blur; an error from the server stays until the value changes.
  const handleBlur = ({ target }: FocusEvent) => {
    const name = target.getAttribute('name') as FieldPath<In> | null;
    const error = name && form.methods.getFieldState(name).error;
    if (error && error.type !== 'server') void form.methods.trigger(name);
  };
  return (
    <FormProvider {...form.methods}>
      <FormUiContext value={{ id, pending, problem, retry, summary, labels }}>
        <form id={id} className={className} aria-label={label} noValidate onSubmit={handleSubmit} onBlur={handleBlur}>
          {summary ? (
            <ErrorSummary problem={problem} failures={form.failures} />
          ) : (
            <FocusError failures={form.failures} />
          )}
          <ChangedElsewhere {...form.fetched} />
          {children}
        </form>
      </FormUiContext>
    </FormProvider>
  );
}

/** After a failed submit focuses the first field with an error, which may arrive a render after the failure is counted. */
function FocusError({ failures }: { failures: number }) {
  const { id } = useFormUi();
  const focused = useRef(0);
  useEffect(() => {
    const wrong = document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid]');
    if (failures === focused.current || !wrong) return;
    focused.current = failures;
    wrong.focus();
  });
  return null;
}

/** A field's error in the summary, which must name the field. */
function inOwnWords(label: string | undefined, message: string): string {
  if (!label || message.toLowerCase().includes(label.toLowerCase())) return message;
  return `${label}: ${message}`;
}

function ErrorSummary({ problem, failures }: { problem: FormProblem | null; failures: number }) {
  const { id, labels } = useFormUi();
  const { control, setFocus } = useFormContext();
  const { errors } = useFormState({ control });
  const box = useRef<HTMLDivElement>(null);
  // In the order of registration, which is the order of the fields.
  const place = [...labels.keys()];
  const rows = Object.entries(errors)
    .flatMap(([name, error]) =>
      typeof error?.message === 'string' && error.message ? [{ name, message: error.message }] : [],
    )
    .sort((one, other) => place.indexOf(one.name) - place.indexOf(other.name));

  // The errors may arrive a render after the failure is counted, so the focus waits for the summary.
  const focused = useRef(0);
  useEffect(() => {
    if (failures === focused.current || !box.current) return;
    focused.current = failures;
    // A focus that does not move scrolls nothing, and a page that is scrolling already may go on.
    box.current.focus({ preventScroll: true });
    box.current.scrollIntoView({ block: 'nearest' });
  });

  if (rows.length === 0 && !problem) return null;
  const handleJump = (event: MouseEvent, name: string) => {
    event.preventDefault();
    const control = document.getElementById(fieldId(id, name));
    if (control) control.focus();
    else setFocus(name);
  };
  return (
    <div className="error-summary" ref={box} tabIndex={-1} role="alert" aria-labelledby={`${id}-problem`}>
      <h2 id={`${id}-problem`}>{t`There is a problem`}</h2>
      {problem && <p>{problem.message}</p>}
      <WayOn to={problem?.redirectTo} className="mt-2" />
      {problem?.requestId && <p className="text-sm">{t`Request id: ${problem.requestId}`}</p>}
      {rows.length > 0 && (
        <ul>
          {rows.map(({ name, message }) => (
            <li key={name}>
              <a href={`#${fieldId(id, name)}`} onClick={(event) => handleJump(event, name)}>
                {inOwnWords(labels.get(name), message)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The submit button: pending while sending, with "Still working" after 10 s and Retry after 30 s. */
export function SubmitButton({ children, pending: waits, ...rest }: Omit<ButtonProps, 'type'>) {
  const { pending, retry, summary, problem } = useFormUi();
  const check = useBrowserCheck();
  const patience = useSlow(pending && !check);
  const checking = pending ? check : '';
  return (
    <>
      {!summary && problem && (
        <p role="alert" className="console-error">
          {problem.message}
        </p>
      )}
      <Button {...rest} type="submit" pending={pending || waits}>
        {children}
      </Button>
      <p role="status" className={patience === 'fine' && !checking ? 'visually-hidden' : 'text-muted'}>
        {checking}
        {patience === 'slow' && t`Still working. This takes longer than usual.`}
        {patience === 'stuck' && t`Still no answer. You can wait, or try again.`}
      </p>
      {patience === 'stuck' && <Button variant="outline" onClick={retry}>{t`Retry`}</Button>}
    </>
  );
}
