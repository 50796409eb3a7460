import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { siteUrl } from './own-stack';

/** Returns an unused port of this machine, below the range of outgoing connections. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(20_000, 32_768);
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!free) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  return expect.fail('no port is free');
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
  for (let tries = 0; tries < 1800 && receiver.exitCode === null; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    if (answer?.ok) return close;
    await sleep(100);
  }
  await close();
  return expect.fail('the connected system did not answer');
}
