import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inBrowser, widths } from './support/browser';
import { tabTo } from './support/keyboard';

let page: Page;

inBrowser({ width: widths.desktop }, (session) => (page = session.page));

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

describe('the help centre', () => {
  it('finds articles while typing, keeps the words in the address and opens the only one on Enter', async () => {
    await page.goto('/helpcenter');
    const field = page.getByRole('searchbox', { name: 'Search the help articles' });
    await field.fill('gst');
    await page.getByRole('list', { name: 'Search results' }).getByRole('link', { name: 'Invoices and GST' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('gst');
    await field.fill('xyzzy');
    await page.getByText('Nothing found for “xyzzy”.').waitFor();
    await field.fill('59 seconds resend');
    await page.getByText('1 article found').waitFor();
    await field.press('Enter');
    await heading('The code does not arrive');
  });

  it('leads from a topic to an article and to a person', async () => {
    await page.goto('/helpcenter');
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await heading('Link your own domain');
    await page.getByRole('main').getByRole('link', { name: 'Contact us' }).click();
    await heading('Contact us');
    await expect
      .poll(() => page.getByRole('combobox', { name: /What is it about/ }).textContent())
      .toContain('Help with my account');
  });
});

describe('blog and tutorials', () => {
  it('opens a story as a full picture and an article as a page', async () => {
    await page.goto('/blog');
    await page.getByRole('button', { name: 'Five numbers a day' }).click();
    await page.getByRole('dialog', { name: 'Five numbers a day' }).getByRole('button', { name: 'Next' }).click();
    await page.getByRole('dialog', { name: 'The first ten partners' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'What a franchise costs in India, line by line' }).click();
    await heading('What a franchise costs in India, line by line');
    await page.getByRole('main').getByRole('link', { name: 'GST on franchise fees and royalties' }).first().click();
    await heading('GST on franchise fees and royalties');
  });

  it('shows a tutorial grey until it is pointed at or focused, and opens it', async () => {
    await page.goto('/tutorial');
    const card = page.getByRole('button', { name: /^Sign up and confirm your mobile/ });
    const filter = () => card.locator('.tutorial-picture').evaluate((element) => getComputedStyle(element).filter);
    expect(await filter()).toBe('grayscale(1)');
    await tabTo(page, card);
    await expect.poll(filter).toBe('none');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: 'Sign up and confirm your mobile' })
      .getByRole('button', { name: /^(Play|Next step)/ })
      .waitFor();
  });
});

describe('forms', () => {
  it('sends a message to the support console', async () => {
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('There is a problem').waitFor();
    await page.getByLabel('Name').fill('Asha Kulkarni');
    await page.getByLabel('Email').fill('asha@example.in');
    await page.getByRole('combobox', { name: /What is it about/ }).click();
    await page.getByRole('option', { name: 'Find a host, or be one' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('We run twelve bakeries and look for a host in Nashik.');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Your reference:').waitFor();
  });

  it('asks for the newsletter only with consent, and sends the link to leave', async () => {
    await page.goto('/blog');
    await page.getByLabel('Email').fill('reader@example.in');
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('There is a problem').waitFor();
    await page.getByRole('checkbox', { name: /send me the newsletter/ }).check();
    await page.getByRole('button', { name: 'Subscribe' }).click();
    await page.getByText('Thank you. We send an e-mail to this address.').first().waitFor();
    await page.getByRole('link', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { level: 1, name: 'Unsubscribe' }).waitFor();
    await page.getByLabel('Email').fill('reader@example.in');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('If this address gets the newsletter,').first().waitFor();
  });

  it.each([
    ['/newsletter/confirm', 'Confirm the newsletter'],
    ['/unsubscribe', 'Leave the newsletter'],
  ])('%s takes the token out of the address and offers one button', async (path, button) => {
    await page.goto(`${path}#${'A'.repeat(38)}`);
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('main').getByRole('alert').waitFor();
    expect(new URL(page.url()).hash).toBe('');
  });
});
