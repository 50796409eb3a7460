/** Where the macros take from what they need while the program runs: the file, and the name in it. */
export const RUNTIME: Record<'i18n' | 'Trans', [file: string, name: string]> = {
  i18n: ['@/lib/i18n', 'i18n'],
  Trans: ['@/lib/trans', 'Trans'],
};
