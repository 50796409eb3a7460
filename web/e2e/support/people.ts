import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { newPerson, type Person } from '../../scripts/walk.mjs';
import { ownStack, siteUrl } from './own-stack';

export { newPerson, type Person };

interface Sms {
  to: string;
  body: string;
  sent_at: string;
}

/** The messages to a mobile number, newest first, without those about deliveries, which come whenever the worker finds some. */
export async function messagesTo(mobile: string): Promise<Sms[]> {
  const answer = await fetch(`${ownStack().sms_inbox}/messages?mobile=${mobile}`);
  const all = (await answer.json()) as Sms[];
  return all.filter(({ body }) => !body.includes('/deliveries'));
}

interface Email {
  to: string;
  subject: string;
  text: string;
}

/** Waits for the path of this site that the newest matching e-mail to an address leads to. */
export async function emailedPath(address: string, path: RegExp): Promise<string> {
  for (let tries = 0; tries < 1800; tries += 1) {
    const answer = await fetch(`${ownStack().sms_inbox}/emails?to=${encodeURIComponent(address)}`);
    for (const { text } of (await answer.json()) as Email[]) {
      const found = path.exec(text)?.[0];
      if (found) return found;
    }
    await sleep(100);
  }
  return expect.fail(`no e-mail with ${String(path)} came to ${address}`);
}

/** Waits for the path of this site that the newest message to a mobile leads to. */
export async function smsPath(mobile: string, path: RegExp): Promise<string> {
  for (let tries = 0; tries < 1800; tries += 1) {
    const found = path.exec((await messagesTo(mobile))[0]?.body ?? '')?.[0];
    if (found) return found;
    await sleep(100);
  }
  return expect.fail(`no message with ${String(path)} came to ${mobile}`);
}

/** Waits for the message number `count` to a mobile and returns the code in it. */
export async function codeFor(mobile: string, count = 1): Promise<string> {
  for (let tries = 0; tries < 1800; tries += 1) {
    const messages = await messagesTo(mobile);
    const code = /\b(\d{6})\b/.exec(messages[0]?.body ?? '')?.[1];
    if (messages.length >= count && code) return code;
    await sleep(100);
  }
  return expect.fail(`message ${count} to ${mobile} never came`);
}

/** The current time of the clock that api and worker share. */
export async function clockNow(): Promise<Date> {
  const answer = await fetch(`${siteUrl()}/dev/clock`);
  return new Date(((await answer.json()) as { data: { now: string } }).data.now);
}

/** Moves the clock that api and worker share forward. */
export async function advanceClock(seconds: number): Promise<void> {
  const answer = await fetch(`${siteUrl()}/dev/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ advance_seconds: seconds }),
  });
  expect(answer.status).toBe(200);
}

/** Signs a person up through the API alone, for tests about later steps. */
export async function register(person: Person, trial = false): Promise<void> {
  const cookies = new Map<string, string>();
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(`${siteUrl()}/api/franchise${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: [...cookies.values()].join('; ') },
      body: JSON.stringify(body),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair);
    }
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return (JSON.parse(text) as { data: Record<string, string> }).data;
  };
  const { mobile, email, password } = person;
  await post('/register', { mobile, email, password, ...(trial ? { first_name: 'Asha', free_trial: 1 } : {}) });
  const { otp_verification_id: verification_id } = await post('/mobile/validate-otp', {
    mobile,
    otp: await codeFor(mobile),
  });
  await post('/register', { mobile, verification_id });
}
