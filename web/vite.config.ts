import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, defineConfig, mergeConfig, type Plugin, type UserConfig } from 'vite';
import { DEFAULT_LANGUAGE, isLanguage, languageCodes, languages, type LanguageCode } from './src/lib/languages.ts';
import { earlyScripts } from './src/start/build/inline-script.ts';
import { prerender } from './src/start/build/plugin.ts';
import { markdown } from './vite/markdown.ts';
import { priceBook } from './vite/price-book.ts';
import { Shared } from './vite/shared.ts';
import { sassOptions, styles } from './vite/styles.ts';
import { svgComponent } from './vite/svg-component.ts';
import { translate } from './vite/translate.ts';

/** Address of a running API for `npm run dev`; the built client is served by the API itself. */
const api = process.env.API_URL ?? 'http://localhost:8080';

/** The language of the development server and of tests; `npm run build` builds all. */
const chosen = process.env.LANGUAGE ?? DEFAULT_LANGUAGE;
if (!isLanguage(chosen)) throw new Error(`LANGUAGE=${chosen} is none of ${languageCodes.join(', ')}`);

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The router's package hands out its development build to everybody; what is shipped takes the other one. */
const leanRouter: Plugin = {
  name: 'lean-router',
  apply: 'build',
  config: () => ({
    resolve: {
      alias: [
        {
          find: /^react-router$/,
          replacement: pathTo('./node_modules/react-router/dist/production/index.mjs'),
        },
      ],
    },
  }),
};

function configIn(language: LanguageCode, shared: Shared): UserConfig {
  // Where the client of a language is built; what prerendering makes of all of them is in dist.
  const outDir = language === DEFAULT_LANGUAGE ? 'dist' : `node_modules/.languages/${language}`;
  return {
    plugins: [
      leanRouter,
      markdown(language),
      svgComponent(),
      priceBook(
        language === DEFAULT_LANGUAGE
          ? null
          : () => readFile(pathTo(`../pkg/platform/i18n/locales/${language}.po`), 'utf8'),
      ),
      translate({
        language,
        sourceLanguage: DEFAULT_LANGUAGE,
        catalogue: () => readFile(pathTo(`./src/locales/${language}.po`), 'utf8'),
        shared,
      }),
      styles(shared),
      react(),
      earlyScripts(languages[language].tag, shared),
      prerender({ language, builtIn: outDir, shared }),
    ],
    define: { 'import.meta.env.LANGUAGE': JSON.stringify(language) },
    resolve: {
      alias: [
        // The rules and the letters that a language needs beyond those of all.
        {
          find: '@/styles/language.scss',
          replacement: pathTo(`./src/styles/languages/${language}.scss`),
        },
        { find: '@', replacement: pathTo('./src') },
      ],
    },
    css: { preprocessorOptions: { scss: sassOptions } },
    server: {
      // The gallery at /dev/ui is a page of this client.
      proxy: { '/api': api, '^/dev/(?!ui)': api, '/docs': api },
    },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: language === DEFAULT_LANGUAGE,
      target: 'es2022',
      assetsInlineLimit: 0,
      sourcemap: false,
      manifest: true,
      reportCompressedSize: false,
      rolldownOptions: {
        output: {
          // What src/start/entry/client.tsx begins one after the other; all other chunks follow from the routes.
          codeSplitting: {
            groups: [
              {
                name: 'react',
                test: /\/node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper/,
                priority: 2,
              },
              {
                name: 'start',
                test: /\/src\/(start\/(entry\/start|page\/(late|page-loaded|translated-text))|content\/(claims|gst)|lib\/today)\.tsx?$|\/icons\/arrow-right\.svg/,
                priority: 1,
              },
            ],
          },
        },
      },
    },
    ssr: { noExternal: true },
  };
}

/**
 * Builds the client once in each language and prerenders its pages: English first, which lays out `dist`, then the
 * others beside it. Each language is a build of its own, so that no page carries the words of another; one process does
 * all, so that each does no more than what differs.
 */
async function buildSite(): Promise<void> {
  const shared = new Shared(true);
  for (const language of languageCodes) {
    const inLanguage = (more: UserConfig) =>
      build({ configFile: false, logLevel: 'warn', ...mergeConfig(configIn(language, shared), more) });
    await inLanguage({});
    await inLanguage({
      build: { ssr: 'src/start/entry/server.tsx', outDir: `node_modules/.prerender/${language}`, copyPublicDir: false },
    });
  }
}

export default defineConfig({
  ...configIn(chosen, new Shared(false)),
  builder: {
    sharedConfigBuild: true,
    async buildApp({ environments }) {
      await buildSite();
      // What is not said to be built, Vite builds by itself.
      for (const environment of Object.values(environments)) environment.isBuilt = true;
    },
  },
});
