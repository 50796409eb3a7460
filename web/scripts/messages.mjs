// Compares the catalogues with the texts in the source: every catalogue must have each text, with a translation of the same parts, and no
// other text. `npm run messages` adds missing texts; people write the translations.
import { fileURLToPath } from 'node:url';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';

const root = fileURLToPath(new URL('..', import.meta.url));
const config = getConfig({ cwd: root, configPath: `${root}/lingui.config.ts` });
/** @type {string[]} */
const faults = [];

/**
 * The names and tags in a message, in any order: {count}, <0>.
 * @param {string} message
 */
const partsOf = (message) =>
  [...message.matchAll(/\{\s*(\w+)|<\/?\d+\/?>/g)]
    .map(([part]) => part)
    .sort()
    .join(' ');

for (const catalog of await getCatalogs(config)) {
  const found = await catalog.collect();
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
