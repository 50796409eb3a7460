import { t } from '@lingui/core/macro';

/** Why a debit failed or was not made, and what to do, as the server says it. */
export const debitWords = (): Record<string, string> => ({
  'there was not enough money': t`there was not enough money`,
  'your bank could not process it': t`your bank could not process it`,
  'the mandate is paused': t`the mandate is paused`,
  'your bank declined it': t`your bank declined it`,
  'the mandate has ended': t`the mandate has ended`,
  'the bill is above your limit': t`the bill is above your limit`,
  'the mandate ends before that day': t`the mandate ends before that day`,
  'the mandate is for yearly bills': t`the mandate is for yearly bills`,
  'your bank wants your approval': t`your bank wants your approval`,
  'the bank did not receive the request': t`the bank did not receive the request`,
  'your bank did not decide it in time': t`your bank did not decide it in time`,
  'the bank allows no more debits now': t`the bank allows no more debits now`,
  'the debit did not go through': t`the debit did not go through`,
  'The bank has rejected the mandate.': t`The bank has rejected the mandate.`,
  'Your bank did not confirm it in time.': t`Your bank did not confirm it in time.`,
  'You stopped it.': t`You stopped it.`,
  'Automatic renewal is stopped.': t`Automatic renewal is stopped.`,
  'Your plan or add-ons were changed after the notice.': t`Your plan or add-ons were changed after the notice.`,
  'The bill or its day has changed since it was announced.': t`The bill or its day has changed since it was announced.`,
  'An earlier debit of this renewal was paid after all.': t`An earlier debit of this renewal was paid after all.`,
  'This bill is being paid by bank transfer. If a part is missing, please transfer it.': t`This bill is being paid by bank transfer. If a part is missing, please transfer it.`,
  'Another mandate replaces it.': t`Another mandate replaces it.`,
  'Your account is scheduled for erasure. To buy or renew, choose “Keep my account” on the security page first.': t`Your account is scheduled for erasure. To buy or renew, choose “Keep my account” on the security page first.`,
  'You stopped automatic renewal.': t`You stopped automatic renewal.`,
  'You paused automatic renewal.': t`You paused automatic renewal.`,
  'You skipped this debit.': t`You skipped this debit.`,
  'The mandate is paused at your bank.': t`The mandate is paused at your bank.`,
  'The mandate was revoked at your bank.': t`The mandate was revoked at your bank.`,
  'The mandate has expired at your bank.': t`The mandate has expired at your bank.`,
  'The mandate failed at your bank.': t`The mandate failed at your bank.`,
  'Your payment has arrived, but your bank does not allow debits.': t`Your payment has arrived, but your bank does not allow debits.`,
  'The payment was not completed.': t`The payment was not completed.`,
  'This renewal was paid in another way, or your plan was changed.': t`This renewal was paid in another way, or your plan was changed.`,
  'Your plan ended before your bank was asked. Pay manually to start it again.': t`Your plan ended before your bank was asked. Pay manually to start it again.`,
  'Pay manually to start your plan again.': t`Pay manually to start your plan again.`,
  'Please pay it manually to keep your plan.': t`Please pay it manually to keep your plan.`,
  'Keep the amount in the account, or pay it manually.': t`Keep the amount in the account, or pay it manually.`,
  'You do not need to do anything. You can also pay manually.': t`You do not need to do anything. You can also pay manually.`,
  'Resume it in your UPI app or at your bank, or pay manually.': t`Resume it in your UPI app or at your bank, or pay manually.`,
  'Ask your bank, or pay manually.': t`Ask your bank, or pay manually.`,
  'Pay manually, and set automatic renewal up again if you want it.': t`Pay manually, and set automatic renewal up again if you want it.`,
  'Pay manually, and set automatic renewal up again with a higher limit.': t`Pay manually, and set automatic renewal up again with a higher limit.`,
  'Pay manually, and set automatic renewal up again for monthly bills if you want it.': t`Pay manually, and set automatic renewal up again for monthly bills if you want it.`,
  'Pay manually: your bank debits this amount only with your approval. A bank account (eNACH), where it is offered, needs none.': t`Pay manually: your bank debits this amount only with your approval. A bank account (eNACH), where it is offered, needs none.`,
  'Pay manually. If it is debited anyway, what was paid twice is refunded to you.': t`Pay manually. If it is debited anyway, what was paid twice is refunded to you.`,
  'Pay this renewal manually. The next one is debited again.': t`Pay this renewal manually. The next one is debited again.`,
  'Pay manually, or ask your bank.': t`Pay manually, or ask your bank.`,
});

// An English build shows the server's own words and ships no translations.
const words: Record<string, string | undefined> = import.meta.env.LANGUAGE === 'en' ? {} : debitWords();

/** What the server says of a debit, in this language where it is known. */
export const debitText = (english: string): string => words[english] ?? english;
