import { toast } from '@/lib/toast';
import { isAbort, toApiError } from './errors';

/** A call outside the cache of the server's data, its failure told as the error catalogue says. */
export async function reported<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isAbort(error)) {
      const failure = toApiError(error);
      toast[failure.kind](failure.message);
    }
    throw error;
  }
}
