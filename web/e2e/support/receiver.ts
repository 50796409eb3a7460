import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { siteUrl } from './own-stack';

/** A port of this machine that nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs the sample of a connected system, scripts/receiver, with sign-in at the port; returns what ends it. */
export async function startReceiver(port: number, clientId: string, secret: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
  const program = join(folder, 'receiver');
  await promisify(execFile)('go', ['build', '-o', program, './scripts/receiver'], {
    cwd: join(import.meta.dirname, '../../..'),
  });
  const receiver = spawn(program, {
    env: {
      ADDR: `127.0.0.1:${port}`,
      FRANCHISE360_URL: siteUrl(),
      CLIENT_ID: clientId,
      CLIENT_SECRET: secret,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => receiver.once('exit', () => resolve()));
  const close = async () => {
    receiver.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 100 && receiver.exitCode === null; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer?.ok) return close;
    await sleep(100);
  }
  await close();
  return expect.fail('the connected system did not answer');
}
