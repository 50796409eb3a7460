import { expect } from 'vitest';
import { ownStack } from './own-stack';

/** Sets the records that the stack's DNS returns for a name; without values, removes them. */
export async function tellDns(name: string, type: 'TXT' | 'A', values: string[]): Promise<void> {
  const answer = await fetch(`${ownStack().dns_server}/records`, {
    method: 'PUT',
    body: JSON.stringify({ name, type, values }),
  });
  expect(answer.status, await answer.text()).toBe(204);
}
