/** The largest file that the server takes, in bytes. */
export const MAX_UPLOAD_BYTES = 5 * 1024 * 1024;

/** The name of a file in the length that the server takes; the end has the type. */
export const uploadName = (file: File) => file.name.slice(-255);

/** The body of a call that sends a file. The type of the contract has no files. */
export const uploadBody = (file: File) => ({
  headers: { 'Content-Type': 'application/octet-stream' },
  body: file as unknown as string,
  bodySerializer: (body: string) => body,
});
