import { getDefaultStore } from 'jotai';
import { checkAtom } from '@/lib/checking';
import type { Challenge } from './proof';

const WORK_HEADER = 'X-Work';
/** While many passwords are being guessed, the required work may have grown by the time that this work is done. */
const MAX_CHECKS = 3;
/** Work of this size or more takes slow phones longer than a few seconds. */
const LONG_BITS = 17;

function isChallenge(value: unknown): value is Challenge {
  return typeof value === 'object' && value !== null && 'token' in value && 'parts' in value && 'bits' in value;
}

async function challengeOf(answer: Response): Promise<Challenge | null> {
  if (answer.status !== 429) return null;
  try {
    const body = (await answer.clone().json()) as { challenge?: unknown };
    return isChallenge(body.challenge) ? body.challenge : null;
  } catch {
    return null;
  }
}

/** Computes in a worker, so that the page remains responsive. */
function compute(challenge: Challenge, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./proof.worker.ts', import.meta.url), { type: 'module' });
    const stop = () => {
      worker.terminate();
      signal.removeEventListener('abort', give);
    };
    const give = () => {
      stop();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', give);
    worker.onmessage = ({ data }: MessageEvent<string>) => {
      stop();
      resolve(data);
    };
    worker.onerror = () => {
      stop();
      reject(new Error('the worker could not start'));
    };
    worker.postMessage(challenge);
  });
}

/**
 * Sends the request. If the server requires proof of work, the browser computes it and sends the request again;
 * if it cannot, the server's error is returned.
 */
export async function sendChecked(request: Request, send: (request: Request) => Promise<Response>): Promise<Response> {
  const store = getDefaultStore();
  const original = request.clone();
  let answer = await send(request);
  for (let checks = 0; checks < MAX_CHECKS; checks += 1) {
    const challenge = await challengeOf(answer);
    if (!challenge || typeof Worker === 'undefined') return answer;
    store.set(checkAtom, challenge.bits < LONG_BITS ? 'short' : 'long');
    try {
      const next = original.clone();
      next.headers.set(WORK_HEADER, await compute(challenge, request.signal));
      answer = await send(next);
    } catch (error) {
      if (request.signal.aborted || error instanceof TypeError || error instanceof DOMException) throw error;
      return answer;
    } finally {
      store.set(checkAtom, 'none');
    }
  }
  return answer;
}
