// Holds the catalogues against the texts in the source: each is in every catalogue, with a translation that has the same
// parts, and no catalogue has others. `npm run messages` adds what is missing; the translations are written by people.
import { fileURLToPath } from 'node:url';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = getConfig({ cwd: root, configPath: `${root}/lingui.config.ts` });
const faults = [];

/** The names and tags in a message, in any order: {count}, <0>. */
const partsOf = (message) =>
  [...message.matchAll(/\{\s*(\w+)|<\/?\d+\/?>/g)]
    .map(([part]) => part)
    .sort()
    .join(' ');

for (const catalog of await getCatalogs(config)) {
  const found = await catalog.collect({ orderBy: config.orderBy });
  if (!found) process.exit(1);
  for (const language of config.locales) {
    const kept = (await catalog.read(language)) ?? {};
    for (const [id, { message = id }] of Object.entries(found)) {
      const translation = kept[id]?.translation;
      if (!translation) faults.push(`${language}: no translation of “${message}”`);
      else if (partsOf(translation) !== partsOf(message) && !message.includes(', plural,'))
        faults.push(`${language}: “${translation}” has other parts than “${message}”`);
    }
    for (const [id, { message = id }] of Object.entries(kept))
      if (!found[id]) faults.push(`${language}: “${message}” is in no source any more`);
  }
}
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exit(1);
}
