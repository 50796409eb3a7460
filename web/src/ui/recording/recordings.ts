/** Recordings of the running product; `node scripts/record.mjs` makes them. */
const videos = import.meta.glob<string>('/src/content/recordings/*.{webm,mp4}', {
  eager: true,
  query: '?url',
  import: 'default',
});
const captions = import.meta.glob<string>('/src/content/recordings/*.vtt', {
  eager: true,
  query: '?url',
  import: 'default',
});

export interface Recording {
  webm: string;
  mp4: string | undefined;
  captions: string;
}

/** The recording of a tutorial; undefined if it has no recording, and pages then do not mention it. */
export function recordingOf(id: string): Recording | undefined {
  const at = (ending: string) => `/src/content/recordings/${id}.${ending}`;
  const webm = videos[at('webm')];
  const words = captions[at('vtt')];
  return webm && words ? { webm, mp4: videos[at('mp4')], captions: words } : undefined;
}
