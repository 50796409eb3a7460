// Builds the web client once in each language and prerenders its pages: English first, which lays out `dist`, then the
// others beside it. Each language is a build of its own, so that no page carries the words of another.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url));

/** English stands in the source; every other language has a catalogue. */
const catalogues = readdirSync(new URL('../src/locales', import.meta.url));
const languages = ['en', ...catalogues.flatMap((name) => (name.endsWith('.po') ? name.slice(0, -'.po'.length) : []))];

function run(language, ...args) {
  const { status } = spawnSync(process.execPath, [vite, 'build', ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, LANGUAGE: language },
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

for (const language of languages) {
  run(language, ...(language === 'en' ? [] : ['--logLevel', 'warn']));
  run(
    language,
    '--ssr',
    'src/start/entry/server.tsx',
    '--outDir',
    `node_modules/.prerender/${language}`,
    '--logLevel',
    'warn',
  );
}
