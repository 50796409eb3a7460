import { followRedirect } from '@/lib/session/follow-redirect';
import { toast } from '@/lib/toast';
import { isAbort, toApiError } from './errors';

/** Makes a call outside the query cache and reports its failure as the error catalogue defines. */
export async function reported<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isAbort(error)) {
      const failure = toApiError(error);
      toast[failure.kind](failure.message);
      followRedirect(failure);
    }
    throw error;
  }
}
