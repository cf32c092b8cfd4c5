import { describe } from '@jest/globals';
import { missingPrograms, type ServerName } from '@shardnode/core/servers';

/**
 * A suite that needs servers. On a machine without them it is skipped, which is printed with the command that installs
 * what is missing; where `CI` is set it fails instead, so that nothing counts as passed that did not run.
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
