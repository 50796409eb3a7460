/** A file that the browser can save. */
export interface NamedFile {
  blob: Blob;
  name: string;
}

/** The server's name for the file of a response. */
export const nameOfFile = ({ headers }: Response, otherwise: string): string =>
  /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? otherwise;

/** Saves a file through the browser's downloads. */
export function saveFile({ blob, name }: NamedFile): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
