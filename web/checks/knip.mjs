import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string[]} path */
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
 * @type {import('knip').Preprocessor}
 */
const preprocess = (options) => {
  const { issues, counters } = options;
  const used = new Set();
  /**
   * @param {'unlisted' | 'unresolved' | 'binaries' | 'devDependencies'} type
   * @param {(name: string) => string | false | undefined} packageOf
   */
  const drop = (type, packageOf) => {
    for (const found of Object.values(issues[type]))
      for (const [name, issue] of Object.entries(found)) {
        const dependency = packageOf(issue.symbol);
        if (!dependency) continue;
        used.add(dependency);
        delete found[name];
        counters[type] -= 1;
      }
  };
  /** @param {string} name */
  const own = (name) => listed.find((dependency) => name === dependency || name.startsWith(`${dependency}/`));
  drop('unlisted', own);
  drop('unresolved', own);
  drop('binaries', (name) => binaries.get(name));
  drop('devDependencies', (name) => used.has(name) && name);
  return options;
};
export default preprocess;
