import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openBrowser, widths } from './browser';
import { press, tabTo } from './keyboard';
import { advanceClock, type Person } from './people';
import { checkScreen } from './shop';
import { because, signInStaff, staff } from './staff';
import { ownStack } from './own-stack';

export interface Sandboxed {
  txnid: string;
  phone: string;
  refunds: { amount: string }[] | null;
}

/** The amount that the gateway refunded to a customer, in rupees. */
export async function givenBack({ mobile }: Person): Promise<string[]> {
  const answer = await fetch(`${ownStack().gateway}/sandbox/payments`);
  const payments = (await answer.json()) as Sandboxed[];
  return payments
    .filter(({ phone }) => phone.endsWith(mobile))
    .flatMap(({ refunds }) => (refunds ?? []).map(({ amount }) => amount));
}

/** Waits for the gateway's refund and then for its booking, which a worker makes some minutes later. */
export async function isBack(page: Page, person: Person, amount: string): Promise<void> {
  await expect.poll(() => givenBack(person), { timeout: 180_000 }).toEqual([amount]);
  const refund = page.getByRole('list', { name: 'Timeline' }).locator('[data-entry]').filter({ hasText: 'Refund' });
  await expect
    .poll(
      async () => {
        await advanceClock(90);
        await page.goto(`${new URL(page.url()).pathname}?kind=refund`);
        await refund.first().waitFor();
        return refund.allInnerTexts();
      },
      { timeout: 180_000, interval: 3000 },
    )
    .toEqual([expect.not.stringMatching(/requested|sent/)]);
}

/** Types the reason and submits the dialog with the button of that name, by keyboard alone. */
export async function send(page: Page, dialog: Locator, reason: string, button: string): Promise<void> {
  await tabTo(page, dialog.getByLabel('Reason', { exact: true }));
  await page.keyboard.type(reason);
  await press(page, 'button', button);
}

/** The card of a request on the approvals page, which must be open. */
export const request = (at: Page, reason: string) =>
  at.getByRole('main').getByRole('listitem').filter({ hasText: reason });

/** Decides on another admin's request, by keyboard alone. */
export async function decideAsAnother(reason: string, what: 'Approve' | 'Decline', why: string): Promise<void> {
  const other = await openBrowser({ width: widths.phone, dark: true });
  try {
    await signInStaff(other.page, staff.secondAdmin, '/support/approvals?state=waiting');
    const card = request(other.page, reason);
    const button = card.getByRole('button', { name: new RegExp(`^${what}`) });
    await tabTo(other.page, button);
    await checkScreen(other.page);
    await other.page.keyboard.press('Enter');
    await because(other.page, why);
    await card.waitFor({ state: 'detached' });
  } finally {
    await other.close();
  }
  expect(other.faults).toEqual([]);
}
