import { envelope } from '@/lib/api/client';

interface Answer {
  data?: Blob | string;
  error?: unknown;
  response: Response;
}

/** A file that the browser can save. */
export interface NamedFile {
  blob: Blob;
  name: string;
}

/** The answer of an export as a file under the server's name for it. Throws ApiError for a failure. */
export async function csvFile(call: Promise<Answer>, fallback: string): Promise<NamedFile> {
  await envelope(call);
  const { data, response } = await call;
  const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? fallback;
  return { blob: data instanceof Blob ? data : new Blob([data ?? ''], { type: 'text/csv' }), name };
}

/** Hands a file to the browser's downloads. */
export function saveFile({ blob, name }: NamedFile): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
