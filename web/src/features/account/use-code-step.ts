import { useState } from 'react';
import { toApiError } from '@/lib/api/errors';
import { toast } from '@/lib/toast';

/** A code that was sent, with the request that triggered it; kept in memory only, because the request includes a password. */
interface SentCode<Asked> {
  asked: Asked;
  /** When another code may be requested, in milliseconds since 1970. */
  resendAt: number;
}

interface CodeSent {
  message: string;
  data: { resend_after: number };
}

/** The two steps of a change confirmed by SMS: requesting the code, then entering it. */
export function useCodeStep<Asked>(request: (asked: Asked) => Promise<CodeSent>) {
  const [sent, setSent] = useState<SentCode<Asked> | null>(null);

  /** Requests a code; rethrows the call's errors. */
  const ask = async (asked: Asked) => {
    const { data, message } = await request(asked);
    setSent({ asked, resendAt: Date.now() + data.resend_after * 1000 });
    toast.success(message);
  };

  /** Requests another code with the same input, then calls `onSent`; a refusal updates the countdown. */
  const resend = (onSent: () => void) => {
    if (!sent) return;
    ask(sent.asked).then(onSent, (error: unknown) => {
      const { retryAfter } = toApiError(error);
      if (retryAfter > 0) setSent({ ...sent, resendAt: Date.now() + retryAfter * 1000 });
    });
  };

  return { sent, ask, resend, back: () => setSent(null) };
}
