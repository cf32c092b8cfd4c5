import { type CredentialFolder } from '@shardnode/core/credentials';
import { tlsServers, type CredentialNetwork, networkCredentials } from '@shardnode/messages/credentials';
import { tableLines } from '@shardnode/core/terminal';

const day = 86_400_000;

const ageOf = (changedAt: Date, now: Date): string => {
  const days = Math.floor((now.getTime() - changedAt.getTime()) / day);
  return days < 1 ? 'today' : days === 1 ? '1 day' : `${days} days`;
};

/** Names and ages of the secrets, never a value. */
export const showCredentials = (folder: CredentialFolder, network: CredentialNetwork, now = new Date()): string[] => {
  const certificates = network.tlsNames === undefined ? [] : ['ca', ...tlsServers].map((name) => `tls/${name}.crt`);
  const names = [...networkCredentials(network.groups).map(({ name }) => name), ...certificates];
  const rows = names.map((name) => {
    const changedAt = folder.changedAt(name);
    return changedAt
      ? [name, changedAt.toISOString().slice(0, 16).replace('T', ' '), ageOf(changedAt, now)]
      : [name, 'missing', ''];
  });
  return tableLines([{ title: 'credential' }, { title: 'changed (UTC)' }, { title: 'age', right: true }], rows);
};
