import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useId, useRef, useState } from 'react';
import {
  get,
  useForm,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import type * as z from 'zod/mini';
import { explain, isAbort, toApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';
import { useDraft } from './draft';
import { useFetchedValues, type FetchedValues } from './fetched-values';

export interface AppFormOptions<In extends FieldValues, Out> {
  /** Without a schema only the server judges the values. */
  schema?: z.ZodMiniType<Out, In> | undefined;
  defaultValues: DefaultValues<In>;
  /** True if the default values come from a query: the form then follows them when they are fetched again. */
  fromQuery?: boolean;
  /** Sends the values; errors that it throws are shown in the summary and on the fields. */
  onSubmit: (values: Out, signal: AbortSignal) => Promise<void> | void;
  /** The server's field names, if they differ from the form's. */
  aliases?: Record<string, FieldPath<In>>;
  /**
   * Keeps the typed values for this tab until they are sent; never for passwords or card data.
   * With `untilForgotten` they are kept after sending too, for a step that can lead back here.
   */
  draft?: { key: string; omit?: readonly FieldPath<In>[]; untilForgotten?: boolean };
}

/** An error of the last submit that belongs to no field of the form. */
export interface FormProblem {
  message: string;
  requestId: string;
  /** The `redirect_to` of the error, or an empty string. */
  redirectTo: string;
}

export interface AppForm<In extends FieldValues, Out> {
  id: string;
  methods: UseFormReturn<In, unknown, Out>;
  problem: FormProblem | null;
  pending: boolean;
  /** Counts failed submits; the summary is focused after each. */
  failures: number;
  submit: () => void;
  /** Abandons a stuck submit and sends again. */
  retry: () => void;
  fetched: FetchedValues;
}

/**
 * A form built on react-hook-form and zod: validated on submit; a field with an error is validated again on blur, and
 * cleared as soon as its value is valid; the server's `messages` are shown on their fields; typed values are kept.
 */
export function useAppForm<In extends FieldValues, Out>({
  schema,
  defaultValues,
  fromQuery = false,
  onSubmit,
  aliases,
  draft,
}: AppFormOptions<In, Out>): AppForm<In, Out> {
  const id = useId();
  const methods = useForm<In, unknown, Out>({
    resolver: schema && zodResolver(schema),
    defaultValues,
    mode: 'onSubmit',
    // Validating again on blur is handled by the form itself: it must not clear errors from the server.
    reValidateMode: 'onSubmit',
    shouldFocusError: false,
  });
  const { problem, failures, refused, showFailure, forget } = useFailures(methods, aliases);
  const clearDraft = useDraft(methods, draft);
  useClearWhenMended(methods, schema);

  const { pending, sending, send, giveUp } = useSending<Out>({
    onSubmit,
    onSent: () => {
      if (!draft?.untilForgotten) clearDraft();
    },
    onFailure: showFailure,
  });

  const fetched = useFetchedValues({ methods, defaultValues, enabled: fromQuery && !pending, onLoaded: clearDraft });

  // Validation is asynchronous, so a second click can come before it ends.
  const judging = useRef(false);
  const run = () => {
    forget();
    judging.current = true;
    const handleValid = (values: Out) => {
      judging.current = false;
      return send(values);
    };
    void methods.handleSubmit(handleValid, (errors) => {
      judging.current = false;
      refused();
      if (errors.terms?.message) toast.error(String(errors.terms.message));
    })();
  };
  const submit = () => {
    if (!judging.current && !sending()) run();
  };
  const retry = () => {
    giveUp();
    run();
  };

  return { id, methods, problem, pending, failures, submit, retry, fetched };
}

/** The error of the last submit: on the fields that it names, otherwise for the form as a whole. */
function useFailures<In extends FieldValues, Out>(
  methods: UseFormReturn<In, unknown, Out>,
  aliases: AppFormOptions<In, Out>['aliases'],
) {
  const [problem, setProblem] = useState<FormProblem | null>(null);
  const [failures, setFailures] = useState(0);
  const refused = () => setFailures((count) => count + 1);
  const showFailure = (error: unknown) => {
    const failure = toApiError(error);
    const values = methods.getValues();
    const others: string[] = [];
    for (const [field, messages] of Object.entries(failure.fields)) {
      const name = aliases?.[field] ?? field;
      if (get(values, name) !== undefined)
        methods.setError(name as FieldPath<In>, { type: 'server', message: messages[0] });
      else others.push(...messages);
    }
    const onFields = Object.keys(failure.fields).length > 0 && others.length === 0;
    setProblem(
      onFields
        ? null
        : {
            message: others.join(' ') || explain(failure),
            requestId: failure.status >= 500 ? failure.requestId : '',
            redirectTo: failure.redirectTo,
          },
    );
    refused();
  };
  return { problem, failures, refused, showFailure, forget: () => setProblem(null) };
}

interface Sending<Out> {
  onSubmit: AppFormOptions<FieldValues, Out>['onSubmit'];
  onSent: () => void;
  onFailure: (error: unknown) => void;
}

/** Sends one submit at a time; a cancelled submit, or a submit whose page was closed, reports no result. */
function useSending<Out>({ onSubmit, onSent, onFailure }: Sending<Out>) {
  const [pending, setPending] = useState(false);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const send = async (values: Out) => {
    const current = new AbortController();
    controller.current = current;
    setPending(true);
    try {
      await onSubmit(values, current.signal);
      onSent();
    } catch (error) {
      if (!isAbort(error) && !current.signal.aborted) onFailure(error);
    } finally {
      if (controller.current === current) {
        controller.current = null;
        setPending(false);
      }
    }
  };
  const giveUp = () => {
    controller.current?.abort();
    controller.current = null;
    setPending(false);
  };
  return { pending, sending: () => controller.current !== null, send, giveUp };
}

/** Clears a field's error as soon as its value is valid again, which another field may decide. */
function useClearWhenMended<In extends FieldValues, Out>(
  methods: UseFormReturn<In, unknown, Out>,
  schema: z.ZodMiniType<Out, In> | undefined,
): void {
  useEffect(() => {
    const subscription = methods.watch((values, { name }) => {
      if (!name) return;
      // Only typing in the field itself answers the server.
      const judgedHere = (other: string) => {
        const { type } = methods.getFieldState(other as FieldPath<In>).error ?? {};
        return Boolean(type) && type !== 'server';
      };
      const others = Object.keys(values).filter((other) => other !== name && judgedHere(other)) as FieldPath<In>[];
      const flagged = methods.getFieldState(name).error ? [name, ...others] : others;
      if (flagged.length === 0) return;
      const issues = schema?.safeParse(values).error?.issues ?? [];
      const wrong = new Set(issues.map(({ path }) => path.join('.')));
      for (const one of flagged) if (!wrong.has(one)) methods.clearErrors(one);
    });
    return () => subscription.unsubscribe();
  }, [methods, schema]);
}
