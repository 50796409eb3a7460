import { inject } from 'vitest';
import type { StackAddresses } from './stack';

/** The stack of the worker that runs this file. No other worker's tests touch it. */
export function ownStack(): StackAddresses {
  const stacks = inject('stacks');
  const stack = stacks[Number(process.env.VITEST_POOL_ID) - 1];
  if (!stack) throw new Error(`worker ${process.env.VITEST_POOL_ID} has none of the ${stacks.length} stacks`);
  return stack;
}

/** The address of its site. */
export const siteUrl = () => ownStack().site;
