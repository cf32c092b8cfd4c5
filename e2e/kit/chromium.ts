import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const program = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

export const isChromiumInstalled = program !== undefined;
export const missingChromium = 'not installed: chromium (apt-get install chromium)';

/** @param options of the command line, beside those that a container needs */
export const openBrowser = (options: readonly string[] = []): Promise<Browser> => {
  if (program === undefined) throw new Error(missingChromium);
  return chromium.launch({ executablePath: program, args: ['--no-sandbox', ...options] });
};
