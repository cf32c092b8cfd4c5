import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser } from 'playwright-core';

/** Pictures of the sheet, row by row: those of a row are equally high. */
const rows: readonly (readonly string[])[] = [
  ['network-1440-light', 'payout-1440-dark', 'network-390-dark'],
  ['small-outputs-1440-dark', 'contract-1440-light', 'payment-390-light'],
  ['pending-1440-light', 'block-1440-dark', 'small-outputs-390-dark'],
];
const width = 1_800;
const gap = 20;
/** Height over width of a picture: its upper part. */
const shape = { 1440: 0.72, 390: 1.55 } as const;

const isPhone = (name: string): boolean => name.includes('-390-');
/** Widths of which a row has: two screens and a phone. */
const screenWidth = 720;
const rowHeight = Math.round(screenWidth * shape[1440]);
const phoneWidth = Math.round(rowHeight / shape[390]);

const pictureOf = (folder: string, name: string): string => {
  const data = readFileSync(join(folder, `${name}.png`)).toString('base64');
  const of = isPhone(name) ? phoneWidth : screenWidth;
  return `<div style="width:${of}px;height:${rowHeight}px"><img src="data:image/png;base64,${data}"></div>`;
};

/** One picture of many, as PNG. */
export const contactSheet = async (browser: Browser, folder: string): Promise<Buffer> => {
  const page = await browser.newPage({ viewport: { width, height: 100 } });
  const lines = rows.map((names) => `<section>${names.map((name) => pictureOf(folder, name)).join('')}</section>`);
  await page.setContent(`<style>
    body { margin: 0; padding: ${gap}px; background: #dfe3ea; display: grid; gap: ${gap}px; justify-content: center; }
    section { display: flex; gap: ${gap}px; }
    div { overflow: hidden; border-radius: 10px; }
    img { display: block; width: 100%; }
  </style>${lines.join('')}`);
  const picture = await page.screenshot({ fullPage: true });
  await page.close();
  return picture;
};
