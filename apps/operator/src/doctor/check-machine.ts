import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';
import { oldestNode, unsupportedNodeText } from '@shardnode/core/process';
import { bytesText } from '../terminal/quantities.js';
import { type Finding, fault, ok, skipped, warning } from './finding.js';

const run = promisify(execFile);

/** @param version as in `process.versions.node` */
export const checkNode = (version: string): Finding =>
  unsupportedNodeText(version) === undefined
    ? ok('node-version', 'Node.js', `version ${version}`)
    : fault(
        'node-version',
        'Node.js',
        `version ${version} is too old for the services`,
        `Start them with npm scripts, which run on the Node.js that npm ci installed, or install Node.js ${oldestNode} or a later one.`,
      );

/** Shares of free space of a disk. */
const little = { warning: 0.15, fault: 0.05 };

export const checkDisk = async (folder: string): Promise<Finding> => {
  const what = `disk of ${folder}`;
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    const free = bavail / blocks;
    const text = `${bytesText(bavail * bsize)} of ${bytesText(blocks * bsize)} are free`;
    if (free >= little.warning) return ok('disk', what, text);
    const next = 'Make room or add disk (docs/operations.md#add-disk): a full one stops the group until it has room.';
    return (free < little.fault ? fault : warning)('disk-full', what, `nearly full: ${text}`, next);
  } catch (error) {
    return skipped('disk', what, `cannot be looked at (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
};

/** The system's report on its own clock; nothing where it has none. */
export const checkTimeService = async (): Promise<Finding[]> => {
  try {
    const { stdout } = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value'], { timeout: 2_000 });
    if (stdout.trim() === 'yes') return [ok('time-service', 'time service', 'this clock is synchronised')];
    if (stdout.trim() !== 'no') return [];
    return [
      warning(
        'time-service',
        'time service',
        'the clock of this machine is not synchronised',
        'Turn on NTP: sudo timedatectl set-ntp true.',
      ),
    ];
  } catch {
    return [];
  }
};
