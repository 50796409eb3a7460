import { expect, inject } from 'vitest';

/** Tells the stack's DNS what a name answers from now on; no values take its records away. */
export async function tellDns(name: string, type: 'TXT' | 'A', values: string[]): Promise<void> {
  const answer = await fetch(`${inject('stack').dns_server}/records`, {
    method: 'PUT',
    body: JSON.stringify({ name, type, values }),
  });
  expect(answer.status, await answer.text()).toBe(204);
}
