import { describe } from '@jest/globals';
import { missingPrograms, type ServerName } from '@shardnode/core/servers';

/**
 * A suite that needs servers. On a machine without them it is skipped, and the command that installs the missing ones
 * is printed. With `CI` set it fails instead, so that a suite that did not run does not count as passed.
 */
export const describeWithServers = (wanted: readonly ServerName[], title: string, body: () => void): void => {
  const missing = missingPrograms(wanted);
  if (missing.length === 0 || process.env['CI'] !== undefined) {
    describe(title, body);
    return;
  }
  const advice = missing.map(({ program, install }) => `${program} (${install})`).join(', ');
  process.stderr.write(`skipped: ${title}; not installed: ${advice}\n`);
  describe.skip(title, body);
};
