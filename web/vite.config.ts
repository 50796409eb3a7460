import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { makeConfig } from '@lingui/conf';
import { defineConfig, type Plugin } from 'vite';
import linguiConfig from './lingui.config.ts';
import { DEFAULT_LANGUAGE, isLanguage, languages } from './src/lib/languages.ts';
import { earlyScripts } from './src/start/build/inline-script.ts';
import { prerender } from './src/start/build/plugin.ts';
import { markdown } from './vite/markdown.ts';
import { svgComponent } from './vite/svg-component.ts';
import { translate } from './vite/translate.ts';

/** Address of a running API for `npm run dev`; the built client is served by the API itself. */
const api = process.env.API_URL ?? 'http://localhost:8080';

/** The language of this build; `npm run build` makes one of each. */
const language = process.env.LANGUAGE ?? DEFAULT_LANGUAGE;
if (!isLanguage(language)) throw new Error(`LANGUAGE=${language} is none of ${Object.keys(languages).join(', ')}`);

/** Where the client of a language is built; what prerendering makes of all of them is in dist. */
const outDir = language === DEFAULT_LANGUAGE ? 'dist' : `node_modules/.languages/${language}`;

/** The router's package hands out its development build to everybody; what is shipped takes the other one. */
const leanRouter: Plugin = {
  name: 'lean-router',
  apply: 'build',
  config: () => ({
    resolve: {
      alias: [
        {
          find: /^react-router$/,
          replacement: fileURLToPath(new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url)),
        },
      ],
    },
  }),
};

export default defineConfig({
  plugins: [
    leanRouter,
    markdown(language, languages[language].base),
    svgComponent(),
    translate({
      config: async () => makeConfig(linguiConfig, { skipValidation: true }),
      language,
      sourceLanguage: DEFAULT_LANGUAGE,
    }),
    react(),
    earlyScripts(languages[language].tag),
    prerender({ language, builtIn: outDir }),
  ],
  define: { 'import.meta.env.LANGUAGE': JSON.stringify(language) },
  resolve: {
    alias: [
      // The rules and the letters that a language needs beyond those of all.
      {
        find: '@/styles/language.scss',
        replacement: fileURLToPath(new URL(`./src/styles/languages/${language}.scss`, import.meta.url)),
      },
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
    ],
  },
  css: {
    preprocessorOptions: {
      scss: {
        loadPaths: ['node_modules'],
        quietDeps: true,
        silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
      },
    },
  },
  server: {
    proxy: { '/api': api, '/dev': api, '/docs': api },
  },
  build: {
    outDir,
    emptyOutDir: true,
    copyPublicDir: language === DEFAULT_LANGUAGE,
    target: 'es2022',
    assetsInlineLimit: 0,
    sourcemap: false,
    manifest: true,
    rolldownOptions: {
      output: {
        // What src/start/entry/client.tsx begins one after the other; all other chunks follow from the routes.
        codeSplitting: {
          groups: [
            { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper/, priority: 2 },
            {
              name: 'start',
              test: /\/src\/(start\/(entry\/start|page\/(late|page-loaded))|content\/claims)\.tsx?$|\/icons\/arrow-right\.svg/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  ssr: { noExternal: true },
});
