import { expect, it } from 'vitest';
import { openBrowser, widths } from './support/browser';

/** 400 kb/s, as on a crowded mobile network. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 50_000, uploadThroughput: 50_000 };

it.each(['/hi', '/hi/pricing', '/hi/plan'])(
  'does not move the text of %s when the Hindi font arrives late',
  async (path) => {
    const { page, context, close } = await openBrowser({ width: widths.phone });
    const devices = await context.newCDPSession(page);
    await devices.send('Network.enable');
    await devices.send('Network.emulateNetworkConditions', SLOW);
    await page.addInitScript(() => {
      const seen = window as unknown as { shift: number };
      seen.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
          if (!entry.hadRecentInput) seen.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThanOrEqual(0.02);
    await close();
  },
);
