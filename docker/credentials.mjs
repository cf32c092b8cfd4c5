/**
 * Credentials of a Compose network: node docker/credentials.mjs generate [OPTION ...] | rotate [NAME ...]
 *
 * The operator's program makes or rotates them in one folder that no service sees; here each service is handed out its own
 * ones and no other, in a volume that it mounts read-only at /run/credentials. Runs at each start and changes nothing that is
 * up to date.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = '/run/credentials';
const handedOut = '/run/handed-out';

const groupNode = (group) => [`database/shardnode_group_${group}`, `nats/group-node-${group}`];

/** Who gets what. */
const shares = {
  postgres: ['database/admin'],
  nats: ['nats/nats.conf'],
  redis: ['redis/users.acl'],
  'group-node-0': groupNode(0),
  'group-node-1': groupNode(1),
  'group-node-2': groupNode(2),
  'group-node-3': groupNode(3),
  'wallet-service': ['database/shardnode_wallet', 'nats/wallet-service'],
  explorer: ['database/shardnode_explorer', 'nats/explorer'],
  gateway: ['nats/gateway', 'redis/gateway', 'api-key', 'api-key-wallets', 'api-key-read'],
};

/** Whether the file was not there, or was another. Who reads it meanwhile sees the old one or the new one, whole. */
const handOut = (service, name) => {
  const target = join(handedOut, service, name);
  const content = readFileSync(join(folder, name));
  if (existsSync(target) && readFileSync(target).equals(content)) return false;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  writeFileSync(`${target}.new`, content, { mode: 0o600 });
  chmodSync(`${target}.new`, 0o600);
  renameSync(`${target}.new`, target);
  return true;
};

const [action = 'generate', ...words] = process.argv.slice(2);
const program = ['apps/operator/dist/main.js', 'credentials', action, '--folder', folder, ...words];
const { status } = spawnSync(process.execPath, program, { stdio: 'inherit' });
process.exitCode = status ?? 1;

// After a failure too: servers that have new passwords already let nobody in who has the old ones.
for (const [service, files] of Object.entries(shares)) {
  const made = files.filter((name) => existsSync(join(folder, name)));
  const changed = made.filter((name) => handOut(service, name));
  if (changed.length > 0) console.log(`handed out to ${service}: ${changed.join(', ')}`);
}
