import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import type { Shared } from '../../../vite/shared.ts';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

type Name = 'theme' | 'early-input' | 'late-scripts';

/** An `inline/` script as embedded in a page: one classic script, bundled with its imports. */
export const inlineScript = (name: Name, shared: Shared): Promise<string> =>
  shared.once(`inline ${name}`, async () => {
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      resolve: { alias: { '@': source('.') } },
      build: {
        write: false,
        target: 'es2022',
        lib: { entry: source(`start/inline/${name}.ts`), formats: ['iife'], name: 'start' },
      },
    });
    if (!Array.isArray(built) || !built[0]) throw new Error(`nothing was built of ${name}`);
    return built[0].output[0].code.trim();
  });

/**
 * Puts the scripts that run before the first paint into the page, because they are shorter than a request for them,
 * and says in which language it is.
 */
export function earlyScripts(tag: string, shared: Shared): Plugin {
  return {
    name: 'early-scripts',
    transformIndexHtml: async (html) => {
      const scripts = await Promise.all([inlineScript('theme', shared), inlineScript('early-input', shared)]);
      return html
        .replace('<!--early-scripts-->', () => `<script>${scripts.join('')}</script>`)
        .replace(/<html lang="[^"]*">/, `<html lang="${tag}">`);
    },
  };
}
