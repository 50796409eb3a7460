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
  'the bank never had the request': t`the bank never had the request`,
  'the bank allows no more debits now': t`the bank allows no more debits now`,
  'the debit did not go through': t`the debit did not go through`,
  'The bank has rejected the mandate.': t`The bank has rejected the mandate.`,
  'Your bank has not confirmed it in time.': t`Your bank has not confirmed it in time.`,
  'Your next bill is above what is debited without your approval. Please pay it by hand.': t`Your next bill is above what is debited without your approval. Please pay it by hand.`,
  'You stopped it.': t`You stopped it.`,
  'Automatic renewal is stopped.': t`Automatic renewal is stopped.`,
  'Your plan or add-ons were changed after the notice.': t`Your plan or add-ons were changed after the notice.`,
  'The bill or its day has changed since it was announced.': t`The bill or its day has changed since it was announced.`,
  'An earlier debit of this renewal was paid after all.': t`An earlier debit of this renewal was paid after all.`,
  'This bill is being paid by bank transfer. If a part is missing, please transfer it.': t`This bill is being paid by bank transfer. If a part is missing, please transfer it.`,
  'Another mandate takes its place.': t`Another mandate takes its place.`,
  'Your account is about to be erased. Keep it first, on the security page, to buy or renew.': t`Your account is about to be erased. Keep it first, on the security page, to buy or renew.`,
  'You stopped automatic renewal.': t`You stopped automatic renewal.`,
  'You paused automatic renewal.': t`You paused automatic renewal.`,
  'You skipped this debit.': t`You skipped this debit.`,
  'The mandate is paused at your bank.': t`The mandate is paused at your bank.`,
  'The mandate is revoked at your bank.': t`The mandate is revoked at your bank.`,
  'The mandate is expired at your bank.': t`The mandate is expired at your bank.`,
  'The mandate is failed at your bank.': t`The mandate is failed at your bank.`,
  'Your payment has arrived, but your bank does not allow debits.': t`Your payment has arrived, but your bank does not allow debits.`,
  'The payment was not completed.': t`The payment was not completed.`,
  'This renewal was paid otherwise, or your plan was changed.': t`This renewal was paid otherwise, or your plan was changed.`,
  'Please pay it by hand to keep your plan.': t`Please pay it by hand to keep your plan.`,
  'Keep the amount in the account, or pay it by hand.': t`Keep the amount in the account, or pay it by hand.`,
  'You need do nothing. You can also pay by hand.': t`You need do nothing. You can also pay by hand.`,
  'Resume it in your UPI app or at your bank, or pay by hand.': t`Resume it in your UPI app or at your bank, or pay by hand.`,
  'Ask your bank, or pay by hand.': t`Ask your bank, or pay by hand.`,
  'Pay by hand, and set automatic renewal up again if you want it.': t`Pay by hand, and set automatic renewal up again if you want it.`,
  'Pay by hand, and set automatic renewal up again with a higher limit.': t`Pay by hand, and set automatic renewal up again with a higher limit.`,
  'Pay by hand, and set automatic renewal up again for monthly bills if you want it.': t`Pay by hand, and set automatic renewal up again for monthly bills if you want it.`,
  'Pay by hand: your bank debits this amount only with your approval. A bank account (eNACH), where it is offered, needs none.': t`Pay by hand: your bank debits this amount only with your approval. A bank account (eNACH), where it is offered, needs none.`,
  'Pay by hand. If it is debited all the same, what was paid twice goes back to you.': t`Pay by hand. If it is debited all the same, what was paid twice goes back to you.`,
  'Pay this renewal by hand. The next one is debited again.': t`Pay this renewal by hand. The next one is debited again.`,
  'Pay by hand, or ask your bank.': t`Pay by hand, or ask your bank.`,
});

// In English the server's own words are shown, and none of these are shipped.
const words: Record<string, string | undefined> = import.meta.env.LANGUAGE === 'en' ? {} : debitWords();

/** What the server says of a debit, in this language where it is known. */
export const debitText = (english: string): string => words[english] ?? english;
