import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (...path) => JSON.parse(readFileSync(join(import.meta.dirname, ...path), 'utf8'));
const listed = Object.keys(read('package.json').devDependencies);
const binaries = new Map(
  listed.flatMap((name) => {
    const { bin = {} } = read('../node_modules', name, 'package.json');
    return (typeof bin === 'string' ? [name.split('/').pop()] : Object.keys(bin)).map((binary) => [binary, name]);
  }),
);

/**
 * Knip looks for the packages of a workspace's files in that workspace, and "checks" has none: its packages are for the
 * files of the folder above. A package that is missing there and listed here is neither missing nor unused.
 */
export default function preprocess(options) {
  const { issues, counters } = options;
  const used = new Set();
  const drop = (type, isFine) => {
    for (const [file, found] of Object.entries(issues[type]))
      for (const [name, issue] of Object.entries(found)) {
        const dependency = isFine(issue.symbol);
        if (!dependency) continue;
        used.add(dependency);
        delete issues[type][file][name];
        counters[type] -= 1;
      }
  };
  const own = (name) => listed.find((dependency) => name === dependency || name.startsWith(`${dependency}/`));
  drop('unlisted', own);
  drop('unresolved', own);
  drop('binaries', (name) => binaries.get(name));
  drop('devDependencies', (name) => used.has(name) && name);
  return options;
}
