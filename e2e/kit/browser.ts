import { describe } from '@jest/globals';
import { isChromiumInstalled, missingChromium } from './chromium.js';
import { describeEmbedded } from './deployment-under-test.js';

/** A suite that needs a browser. Without one it is skipped, which is printed; where `CI` is set it fails instead. */
export const describeInBrowser = (title: string, body: () => void): void => {
  if (isChromiumInstalled || process.env['CI'] !== undefined) return describeEmbedded(title, body);
  process.stderr.write(`skipped: ${title}; ${missingChromium}\n`);
  describe.skip(title, body);
};
