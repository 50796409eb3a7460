import { fileURLToPath } from 'node:url';
import { compile, type Options } from 'sass';
import type { Plugin } from 'vite';
import type { Shared } from './shared.ts';

const SOURCE = '.scss';
const COMPILED = '.css?scss';

/** How Sass reads the style sheets, in a build and in the development server. */
export const sassOptions = {
  loadPaths: [fileURLToPath(new URL('../node_modules', import.meta.url))],
  quietDeps: true,
  silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
} satisfies Options<'sync'>;

const source = new URL('../src/', import.meta.url);

/** The rules of a style sheet, with addresses that are relative to it. */
function rulesOf(file: string): string {
  const ofSource = { findFileUrl: (url: string) => (url.startsWith('@/') ? new URL(url.slice(2), source) : null) };
  return compile(file, { ...sassOptions, importers: [ofSource] }).css;
}

/**
 * Compiles the style sheets of a build, each once for all languages; what prerenders needs none. Vite would compile them
 * for every build anew, and by a slower call, which lets importers wait.
 */
export function styles(shared: Shared): Plugin {
  let prerenders = false;
  return {
    name: 'styles',
    apply: 'build',
    enforce: 'pre',
    configResolved({ build }) {
      prerenders = Boolean(build.ssr);
    },
    resolveId: {
      filter: { id: /\.scss$/ },
      async handler(id, importer) {
        const found = await this.resolve(id, importer, { skipSelf: true });
        return found ? found.id.slice(0, -SOURCE.length) + COMPILED : null;
      },
    },
    load: {
      filter: { id: /\.css\?scss$/ },
      handler: (id) => (prerenders ? '' : shared.once(id, async () => rulesOf(id.slice(0, -COMPILED.length) + SOURCE))),
    },
  };
}
