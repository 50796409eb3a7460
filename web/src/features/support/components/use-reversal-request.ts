import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toApiError } from '@/lib/api/errors';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { requestReversal, type ReversalRequest } from '../api/help';
import { inPlace } from '../api/support';
import { problemsFrom, type MoneyProblems } from './money-form';

const order: [keyof MoneyProblems, string][] = [
  ['amount', 'money-amount'],
  ['confirmed', 'money-all'],
  ['utr', 'money-utr'],
  ['printed', 'money-printed'],
  ['reason', 'reason'],
];

/** Sends a refund request, once however often it is submitted; focuses the first invalid field. */
export function useReversalRequest(onDone: (done: { message: string }) => void) {
  const [problems, setProblems] = useState<MoneyProblems>({});
  const [failure, setFailure] = useState('');
  const [key] = useState(newIdempotencyKey);
  // `isPending` is set only on the next render, and a second click may come first.
  const sending = useRef(false);
  const request = useMutation({
    ...inPlace,
    mutationFn: ({ body, what }: { body: ReversalRequest; what: string }) => requestReversal(body, `${key}-${what}`),
    onSuccess: onDone,
    onError: (error) => {
      const { fields, detail, message } = toApiError(error);
      const known = problemsFrom(fields);
      setProblems(known);
      setFailure(Object.keys(known).length > 0 ? '' : detail || message);
    },
    onSettled: () => {
      sending.current = false;
    },
  });
  useEffect(() => {
    const first = order.find(([name]) => problems[name]);
    if (first) document.getElementById(first[1])?.focus();
  }, [problems]);
  /** Sends the request if it is valid; `what` distinguishes the requests of this form. */
  const send = (body: ReversalRequest, what: string, wrong: MoneyProblems) => {
    if (sending.current) return;
    setProblems(wrong);
    setFailure('');
    if (Object.keys(wrong).length > 0) return;
    sending.current = true;
    request.mutate({ body, what });
  };
  return { problems, setProblems, failure, pending: request.isPending, send };
}
