import { envelope } from '@/lib/api/client';
import type { NamedFile } from '@/lib/save-file';

interface Answer {
  data?: Blob | string;
  error?: unknown;
  response: Response;
}

/** Returns an export's response as a file under the server's name for it. Throws ApiError on failure. */
export async function csvFile(call: Promise<Answer>, fallback: string): Promise<NamedFile> {
  await envelope(call);
  const { data, response } = await call;
  const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? fallback;
  return { blob: data instanceof Blob ? data : new Blob([data ?? ''], { type: 'text/csv' }), name };
}
