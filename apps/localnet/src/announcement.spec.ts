import { describe, expect, it } from '@jest/globals';
import { developmentNetwork } from '@shardnode/protocol/network';
import { fundedAccounts } from './accounts.js';
import { announcementText, type Announcement } from './announcement.js';
import { developmentMnemonic, developmentPrivateKeys } from './development-accounts.js';

const baseUrl = 'http://127.0.0.1:22973';
const names = ['group-node-0', 'group-node-1', 'group-node-2', 'group-node-3', 'wallet-service'];

const development: Announcement = {
  baseUrl,
  docsUrl: `${baseUrl}/docs`,
  explorerUrl: 'http://127.0.0.1:19091',
  wsUrl: 'ws://127.0.0.1:21973/events',
  dataDir: '/home/somebody/shardnode/data/localnet',
  mining: 'instant: a transaction is mined before its submit returns',
  heartbeatSeconds: 10,
  node: '26.12.1',
  networkId: 4,
  coinSymbol: 'COIN',
  profile: 'document',
  services: [
    { name: 'gateway', url: baseUrl },
    ...names.map((name, i) => ({ name, url: `http://127.0.0.1:${12_980 + i}` })),
  ],
  accounts: fundedAccounts(developmentNetwork).map((account) => ({ ...account, balance: '1000000 COIN' })),
  mnemonic: developmentMnemonic,
  wallet: { name: 'dev', password: 'dev', locksAfterSeconds: 600 },
};

/** Without the fields of the development network. */
const other = (): Announcement => {
  const { mnemonic: _mnemonic, wallet: _wallet, accounts, ...rest } = development;
  return { ...rest, accounts: accounts.map(({ privateKey: _key, ...account }) => account) };
};

describe('the announcement of a ready network', () => {
  const text = announcementText(development);

  it('fits a terminal of 100 columns, and the whole a page', () => {
    const lines = text.split('\n');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
    expect(lines.length).toBeLessThan(40);
  });

  it('contains the first steps of a newcomer', () => {
    for (const part of [
      baseUrl,
      `${baseUrl}/docs`,
      'http://127.0.0.1:19091/docs',
      'ws://127.0.0.1:21973/events',
      'MINING_HEARTBEAT=0',
      'ports 12980-12984, 22973',
      ...developmentPrivateKeys,
      'dev, password dev',
      'Not supported yet: peers.',
      `curl -X POST ${baseUrl}/wallets/dev/transfer`,
    ]) {
      expect(text).toContain(part);
    }
    expect(text.replaceAll(/\s+/g, ' ')).toContain(developmentMnemonic);
  });

  it('without the accounts of the development network has neither keys nor a wallet', () => {
    const said = announcementText(other());
    expect(said).not.toMatch(/private key|Mnemonic|Wallet|never send/);
    expect(said).toContain(`curl ${baseUrl}/addresses/`);
    expect(fundedAccounts({ ...developmentNetwork }).some(({ privateKey }) => privateKey !== undefined)).toBe(false);
  });

  it('names the profile of existing clients and their name of the coin', () => {
    const said = announcementText({ ...development, profile: 'reference', coinSymbol: 'SHL' });
    expect(said).toContain('docs/existing-tools.md');
    expect(said).toContain('"amount":"1 SHL"');
    expect(said.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect(text).not.toContain('existing-tools');
  });

  it('leads to the explorer first', () => {
    expect(text.split('\n')[3]).toMatch(/^ {2}Explorer +http/);
  });

  it('says nothing of an explorer that is off', () => {
    const { explorerUrl: _url, ...without } = development;
    expect(announcementText(without)).not.toContain('Explorer ');
  });

  it('quotes an IPv6 address for the shell', () => {
    const said = announcementText({ ...development, baseUrl: 'http://[::1]:22973' });
    expect(said).toContain("curl 'http://[::1]:22973/addresses/");
    expect(said).toContain("curl -X POST 'http://[::1]:22973/wallets/dev/transfer' -d");
  });

  it('tells the Node that it runs on', () => {
    expect(text).toMatch(/Runs on +Node 26\.12\.1\n/);
  });

  it('does not mention a disabled heartbeat', () => {
    expect(announcementText({ ...development, heartbeatSeconds: 0 })).not.toContain('Heartbeat');
  });

  it('has styles only at a terminal that shows them', () => {
    // eslint-disable-next-line no-control-regex
    const styles = /\u001b\[\d+m/g;
    expect(text).not.toMatch(styles);
    expect(announcementText(development, true)).toMatch(styles);
    expect(announcementText(development, true)).toContain('\u001b[1m  Explorer   http://127.0.0.1:19091');
    expect(announcementText(development, true).replaceAll(styles, '')).toBe(text);
  });
});
