import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { LanguageCode } from '../../lib/languages.ts';
import type * as Server from '../entry/server.tsx';
import type { Shared } from '../../../vite/shared.ts';
import { prerenderSite } from './prerender.ts';

interface Options {
  language: LanguageCode;
  /** The folder of the client in that language, relative to the root. */
  builtIn: string;
  shared: Shared;
}

/** Finishes the build: writes the pages rendered by `entry/server.tsx` into the client's build. */
export function prerender({ language, builtIn, shared }: Options): Plugin {
  let dist = '';
  let client = '';
  let serverModule = '';
  return {
    name: 'prerender',
    apply: (_, { command, isSsrBuild }) => command === 'build' && isSsrBuild === true,
    configResolved({ root, build }) {
      dist = join(root, 'dist');
      client = join(root, builtIn);
      serverModule = join(root, build.outDir, 'server.js');
    },
    async closeBundle() {
      const server = (await import(pathToFileURL(serverModule).href)) as typeof Server;
      await prerenderSite({ dist, client, language, shared }, server);
    },
  };
}
