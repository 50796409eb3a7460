import { t } from '@lingui/core/macro';
import { catalogueWord } from '@/content/catalogue-words';
import { formatDate } from '@/lib/format';

const DAY = '(\\d{1,2} [A-Z][a-z]{2} \\d{4})';
const ENGLISH_MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

/** A day as the server writes it, "21 Nov 2026", in this language. */
function dayOf(english: string): string {
  const [day = '', month = '', year = ''] = english.split(' ');
  return formatDate(`${year}-${ENGLISH_MONTHS.indexOf(month) / 3 + 1}-${day}`);
}

/** A number of days, or two: "5 to 21". */
function rangeOf(days: string): string {
  const [from = '', to] = days.split(' to ');
  return to ? t`${from} to ${to}` : from;
}

/** A line of a charge: a plan with its period, or an add-on. */
function lineOf(name: string): string {
  const [, once] = /^(.+), one-time charge$/.exec(name) ?? [];
  if (once) return t`${catalogueWord(once)}, one-time charge`;
  const [, plan, period] = /^(.+ · .+), (monthly|yearly)$/.exec(name) ?? [];
  if (!plan) return catalogueWord(name);
  return `${plan}, ${period === 'yearly' ? t`yearly` : t`monthly`}`;
}

/** Fixed sentences of the server: about charges, payments, domains and plan features. */
export const serverSentences = (): Record<string, string> => ({
  Total: t`Total`,
  'Taxable value': t`Taxable value`,
  'Invoice total': t`Invoice total`,
  'Payment gateway charge': t`Payment gateway charge`,
  'The amount received differs from the amount due. Our staff will look at it.': t`The amount received differs from the amount due. Our staff will look at it.`,
  'The amount received differs from the amount due. It is being refunded.': t`The amount received differs from the amount due. It is being refunded.`,
  'The payment did not go through.': t`The payment did not go through.`,
  'There was not enough money in the account, or too little left on the card.': t`There was not enough money in the account, or too little left on the card.`,
  'Your bank does not accept the card, account or UPI ID that was used. Check it, or pay in another way.': t`Your bank does not accept the card, account or UPI ID that was used. Check it, or pay in another way.`,
  'The amount is above a limit of your bank, card or UPI app. Raise the limit there, or pay in another way.': t`The amount is above a limit of your bank, card or UPI app. Raise the limit there, or pay in another way.`,
  'Your bank could not confirm that it was you: the OTP or PIN was wrong, or came too late.': t`Your bank could not confirm that it was you: the OTP or PIN was wrong, or came too late.`,
  'The payment page was left, or its time was over, before you had paid.': t`The payment page was left, or its time was over, before you had paid.`,
  'Your bank or the payment provider could not be reached just then. Try again in a few minutes, or pay in another way.': t`Your bank or the payment provider could not be reached just then. Try again in a few minutes, or pay in another way.`,
  'Your bank declined the payment. Ask your bank, or pay in another way.': t`Your bank declined the payment. Ask your bank, or pay in another way.`,
  'Another payment was begun in its place.': t`Another payment was begun in its place.`,
  'Tax invoices, credit notes and the books behind them, for eight years from the end of the financial year (section 128, Companies Act 2013; section 36, CGST Act 2017)': t`Tax invoices, credit notes and the books behind them, for eight years from the end of the financial year (section 128, Companies Act 2013; section 36, CGST Act 2017)`,
  'You cancelled the payment.': t`You cancelled the payment.`,
  'This was paid already. The amount of this payment is being refunded.': t`This was paid already. The amount of this payment is being refunded.`,
  'Your plan had changed by the time this payment arrived, so what it was for was no longer available. All of it is being refunded.': t`Your plan had changed by the time this payment arrived, so what it was for was no longer available. All of it is being refunded.`,
  'The payment was not completed in time.': t`The payment was not completed in time.`,
  'We are looking up the records now.': t`We are looking up the records now.`,
  'The name servers of this domain did not answer. We check again in a few minutes.': t`The name servers of this domain did not answer. We check again in a few minutes.`,
  'Another store has verified this domain. It is being checked again.': t`Another store has verified this domain. It is being checked again.`,
  'The TXT record is gone. Enter it again; it has to stay while you use the domain.': t`The TXT record is gone. Enter it again; it has to stay while you use the domain.`,
  'The TXT record was not found yet. DNS changes can take up to 48 hours.': t`The TXT record was not found yet. DNS changes can take up to 48 hours.`,
  'The TXT record was entered with the domain twice, because your registrar adds the domain by itself. Enter the short name instead.': t`The TXT record was entered with the domain twice, because your registrar adds the domain by itself. Enter the short name instead.`,
  'The TXT record has a different value from the one below.': t`The TXT record has a different value from the one below.`,
  'The domain is verified. Custom domains cannot be reached on this installation.': t`The domain is verified. Custom domains cannot be reached on this installation.`,
  'The domain is verified, but it does not point to us yet. DNS changes can take up to 48 hours.': t`The domain is verified, but it does not point to us yet. DNS changes can take up to 48 hours.`,
  'A record of this domain was not found at the last check. Your store stays open while we check again. If you removed the record, enter it again.': t`A record of this domain was not found at the last check. Your store stays open while we check again. If you removed the record, enter it again.`,
  'The domain is verified, but it stands behind Cloudflare\'s proxy. In Cloudflare\'s DNS settings choose "DNS only" for it.': t`The domain is verified, but it stands behind Cloudflare's proxy. In Cloudflare's DNS settings choose "DNS only" for it.`,
  Retail: t`Retail`,
  Manufacturing: t`Manufacturing`,
  'Network marketing': t`Network marketing`,
  'Food and beverage': t`Food and beverage`,
  Services: t`Services`,
  Education: t`Education`,
  'Health and wellness': t`Health and wellness`,
  'Beauty and personal care': t`Beauty and personal care`,
  'Fashion and apparel': t`Fashion and apparel`,
  'Electronics and appliances': t`Electronics and appliances`,
  'Grocery and daily needs': t`Grocery and daily needs`,
  Automotive: t`Automotive`,
  'Logistics and courier': t`Logistics and courier`,
  'Travel and hospitality': t`Travel and hospitality`,
  'Real estate': t`Real estate`,
  Community: t`Community`,
  Other: t`Other`,
  'Places: GeoNames, CC BY 4.0': t`Places: GeoNames, CC BY 4.0`,
  'A CAA record forbids the certificate that this domain needs. Add the CAA record below; the others may stay.': t`A CAA record forbids the certificate that this domain needs. Add the CAA record below; the others may stay.`,
  'The domain is verified, but it points elsewhere. Replace its A and AAAA records by the ones below.': t`The domain is verified, but it points elsewhere. Replace its A and AAAA records by the ones below.`,
  'The domain is verified, but it also points elsewhere. Remove its other A and AAAA records.': t`The domain is verified, but it also points elsewhere. Remove its other A and AAAA records.`,
  'Your app in both stores, under your name and icon.': t`Your app in both stores, under your name and icon.`,
  'Your store answers under your own address, proven by DNS and checked again every day.': t`Your store answers under your own address, proven by DNS and checked again every day.`,
  'Points in every outlet, one balance for each customer.': t`Points in every outlet, one balance for each customer.`,
  'Orders and stock of all locations in one view, as they change.': t`Orders and stock of all locations in one view, as they change.`,
  'Your customers pay by card, net banking, UPI or wallet.': t`Your customers pay by card, net banking, UPI or wallet.`,
  'Labels and tracking without copying an address.': t`Labels and tracking without copying an address.`,
  'Invite a franchise by mobile number; terms and price list are in place at its first login.': t`Invite a franchise by mobile number; terms and price list are in place at its first login.`,
  'Answers to your questions by e-mail, with the order or request you name looked up.': t`Answers to your questions by e-mail, with the order or request you name looked up.`,
  'All features of the Start up plan, without change.': t`All features of the Start up plan, without change.`,
  'Connect the accounting, messaging and other apps that you use.': t`Connect the accounting, messaging and other apps that you use.`,
  'What each level earns, per product or category, decided once.': t`What each level earns, per product or category, decided once.`,
  'Fitting suggestions at the counter and in the app.': t`Fitting suggestions at the counter and in the app.`,
  'Your question comes first in the queue.': t`Your question comes first in the queue.`,
  'All features of the Growth plan, without change.': t`All features of the Growth plan, without change.`,
  'Franchise owners earn from what is redeemed and bought in the reward portal.': t`Franchise owners earn from what is redeemed and bought in the reward portal.`,
  'A campaign for your launch on social media, at no charge.': t`A campaign for your launch on social media, at no charge.`,
  'One person who knows your business and calls back.': t`One person who knows your business and calls back.`,
  'All features of the Pinnacle plan, without change.': t`All features of the Pinnacle plan, without change.`,
  'Your brand alone on every screen, with no mention of us.': t`Your brand alone on every screen, with no mention of us.`,
  'Something to redeem for every number of points.': t`Something to redeem for every number of points.`,
  'Somebody of ours beside you on the day of the opening.': t`Somebody of ours beside you on the day of the opening.`,
  'an app for your customers, on Android and iOS': t`an app for your customers, on Android and iOS`,
  'your distribution model, set up with you': t`your distribution model, set up with you`,
});

type Rule = readonly [english: string, words: (...found: string[]) => string];

/** Sentences of the server with figures, days or names in them, as patterns. */
export const serverPatterns = (): readonly Rule[] => [
  ['Annual payment discount (\\S+)', (percent) => t`Annual payment discount ${percent}`],
  [
    'Unused part of (.+), credit note to (.+)',
    (titles, number) => {
      const title = titles.split(', ').map(catalogueWord).join(', ');
      return t`Unused part of ${title}, credit note to ${number}`;
    },
  ],
  [
    `Nothing to pay now\\. Your plan changes on ${DAY}`,
    (day) => t`Nothing to pay now. Your plan changes on ${dayOf(day)}`,
  ],
  [
    `Nothing to pay now\\. Your plan stays the same on ${DAY}`,
    (day) => t`Nothing to pay now. Your plan stays the same on ${dayOf(day)}`,
  ],
  [`Your plan ended on ${DAY} with a refund`, (day) => t`Your plan ended on ${dayOf(day)} with a refund`],
  [`Plan Expired On: ${DAY}`, (day) => t`Plan Expired On: ${dayOf(day)}`],
  [`Your free trial ends on ${DAY}\\.`, (day) => t`Your free trial ends on ${dayOf(day)}.`],
  [
    `Your plan ended on ${DAY}\\. Renew by ${DAY} to keep it\\.`,
    (day, until) => t`Your plan ended on ${dayOf(day)}. Renew by ${dayOf(until)} to keep it.`,
  ],
  [`Your plan changes on ${DAY}\\.`, (day) => t`Your plan changes on ${dayOf(day)}.`],
  [
    '(\\S+) was due on the day this payment arrived\\. The other (\\S+) is being refunded\\.',
    (due, more) => t`${due} was due on the day this payment arrived. The other ${more} is being refunded.`,
  ],
  [
    '(\\S+) was accepted; the missing (\\S+) is a discount on your invoice\\.',
    (paid, missing) => t`${paid} was accepted; the missing ${missing} is a discount on your invoice.`,
  ],
  [`Your account will be erased on ${DAY}\\.`, (day) => t`Your account will be erased on ${dayOf(day)}.`],
  [
    `Your account will be erased once the (\\S+) that we owe you is back, on ${DAY} at the earliest\\.`,
    (owed, day) =>
      t`Your account will be erased once the ${owed} that we owe you is back, on ${dayOf(day)} at the earliest.`,
  ],
  ['within (\\d+(?: to \\d+)?) working days', (days) => t`within ${rangeOf(days)} working days`],
  ['within (\\d+(?: to \\d+)?) days', (days) => t`within ${rangeOf(days)} days`],
  ['([\\d,]+) more franchises', (count) => t`${count} more franchises`],
  ['([\\d,]+) more users', (count) => t`${count} more users`],
  ['(.+) × (\\d+)', (name, count) => `${lineOf(name)} × ${count}`],
];

/**
 * What the server said, in this language. A sentence that is not known here stays in English, so that nothing is ever
 * lost: tests hold the known ones against the server's source.
 */
export function inThisLanguage(english: string): string {
  const sentence = serverSentences()[english];
  if (sentence) return sentence;
  for (const [pattern, words] of serverPatterns()) {
    const found = new RegExp(`^${pattern}$`).exec(english);
    if (found) return words(...found.slice(1));
  }
  return lineOf(english);
}

/** Translates a server text into this language; an English build returns it unchanged and ships no translations. */
export const serverText: (english: string) => string =
  import.meta.env.LANGUAGE === 'en' ? (english) => english : inThisLanguage;
