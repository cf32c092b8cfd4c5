/**
 * `npm run explorer:screenshots -- [FOLDER] [--sheet FILE]`: pictures of every page of the explorer over a busy network,
 * 1440 and 390 pixels wide, light and dark; `--sheet` writes one picture of them all, too.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser } from 'playwright-core';
import { openBrowser } from '../kit/chromium.js';
import { BusyNetwork } from './busy-network.js';
import { contactSheet } from './contact-sheet.js';
import { pages, waitingPages } from './pages.js';

const widths = { 1440: 900, 390: 844 } as const;
const themes = ['light', 'dark'] as const;
/** Milliseconds: the loom shows two minutes. */
const busyFor = 120_000;
/** Milliseconds in which a page gets what it asks for after it is shown. */
const settles = 3_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sheet: { type: 'string' }, busy: { type: 'string', default: String(busyFor / 1_000) } },
});
const folder = resolve(positionals[0] ?? 'explorer-screenshots');
const say = (text: string): void => void process.stderr.write(`${text}\n`);

const shoot = async (browser: Browser, base: string, paths: Readonly<Record<string, string>>): Promise<void> => {
  for (const [width, height] of Object.entries(widths)) {
    for (const colorScheme of themes) {
      const context = await browser.newContext({ colorScheme, viewport: { width: Number(width), height } });
      const page = await context.newPage();
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(`${base}/${path}`);
        await page.waitForSelector('h1');
        await sleep(settles);
        // A window as high as the page: its bar at the bottom is at the bottom of the picture.
        const whole = Number(await page.evaluate('document.documentElement.scrollHeight'));
        await page.setViewportSize({ width: Number(width), height: Math.max(whole, height) });
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
        await page.setViewportSize({ width: Number(width), height });
      }
      await context.close();
      say(`${Object.keys(paths).length} pages, ${width} pixels, ${colorScheme}`);
    }
  }
};

mkdirSync(folder, { recursive: true });
const network = await BusyNetwork.open(say);
const browser = await openBrowser();
try {
  const places = await network.makePlaces(say);
  say(`letting it be busy for ${values.busy} s`);
  await sleep(Number(values.busy) * 1_000);
  await shoot(browser, network.explorerUrl, pages(places));
  const waiting = await network.letWait();
  await shoot(browser, network.explorerUrl, waitingPages(waiting));
  if (values.sheet !== undefined) {
    writeFileSync(values.sheet, await contactSheet(browser, folder));
    say(`${values.sheet} shows them all`);
  }
  say(`the pictures are in ${folder}`);
} finally {
  await browser.close();
  await network.close();
}
