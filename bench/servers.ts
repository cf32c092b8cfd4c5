import { missingPrograms, type ServerName } from '@shardnode/core/servers';

/** Whether the servers are installed. Where they are not, that is printed; in a continuous run it is a failure. */
export const hasServers = (wanted: readonly ServerName[] = ['postgres', 'nats']): boolean => {
  const missing = missingPrograms(wanted);
  if (missing.length === 0) return true;
  const text = missing.map(({ program, install }) => `${program} (${install})`).join(', ');
  if (process.env['CI'] !== undefined) throw new Error(`not installed: ${text}`);
  console.log(`without the figures of the cluster; not installed: ${text}`);
  return false;
};
