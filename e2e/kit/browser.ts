import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { describeEmbedded } from './deployment.js';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

export const openBrowser = (): Promise<Browser> => {
  if (program === undefined) throw new Error('Chromium is missing: apt-get install chromium');
  return chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
};

/** A suite that needs a browser. Without one it is skipped, which is printed; where `CI` is set it fails instead. */
export const describeInBrowser = (title: string, body: () => void): void => {
  if (program !== undefined || process.env['CI'] !== undefined) return describeEmbedded(title, body);
  process.stderr.write(`skipped: ${title}; not installed: chromium (apt-get install chromium)\n`);
  describe.skip(title, body);
};
