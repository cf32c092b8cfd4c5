import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deriveWalletKey, mnemonicFromEntropy } from '@shardnode/protocol/address';
import { createChaos } from '@shardnode/testing/chaos';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { lockupScriptCodec } from '@shardnode/protocol/primitives';
import { developmentMnemonic, testKeyOfGroup } from '@shardnode/testing/keys';
import { seedOf } from '../../src/mnemonic-seed.js';
import { createWorld, lockTimeoutMs, ns, temporaryDatabase, type WalletWorld } from '../wallet-world.js';

const password = 'Tr0ub4dor&3-password';
const otherPassword = 'second-hunter2-password';
const wrongPassword = 'wrong-but-close-Tr0ub4dor&4';
const passphrase = 'p4ssphrase-of-the-wallet';
const wrongPassphrase = 'p4ssphrase-with-a-slip';
/** All words are rare in the lines of a program. */
const restored = mnemonicFromEntropy(new Uint8Array(32).fill(0x77));
const coin = 10n ** 18n;
const schema = 'wallet_secrets';

let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let world: WalletWorld;
const printed: string[] = [];
const thrown: unknown[] = [];
const createReplies: string[] = [];
const revealReplies: string[] = [];
const originals = { out: process.stdout.write, error: process.stderr.write };

/** Every byte array as hexadecimal, base64 and decimal text, every error with its stack, every field of any depth. */
const textOf = (content: unknown): string => {
  const seen = new Set<unknown>();
  const visit = (value: unknown): string => {
    if (value instanceof Uint8Array)
      return `${bytesToHex(value)} ${Buffer.from(value).toString('base64')} ${Buffer.from(value).toString('latin1')} ${value.join(',')}`;
    if (typeof value !== 'object' || value === null) return String(value);
    if (seen.has(value)) return '';
    seen.add(value);
    const error = value instanceof Error ? `${value.stack} ${visit(value.cause)} ` : '';
    return (
      error +
      Object.entries(value)
        .map(([name, field]) => `${name} ${visit(field)}`)
        .join(' ')
    );
  };
  return visit(content);
};

const ask = async (name: string, payload: object): Promise<unknown> => {
  try {
    const reply = await world.client.request(name as 'get', payload as never);
    const { mnemonic } = reply as unknown as { readonly mnemonic?: string };
    if (mnemonic !== undefined) (name === 'create' ? createReplies : revealReplies).push(mnemonic);
    return reply;
  } catch (error) {
    thrown.push(error);
    return undefined;
  }
};

/** Everything that a wallet can be asked, in success and failure. */
const everything = async (): Promise<void> => {
  const mnemonic = restored.join(' ');
  const misspelt = [restored[1], restored[0], ...restored.slice(2)].join(' ');
  const first = developmentNetwork.allocations[0]!.lockupScript;
  world.ledger.fund(first as never, 100n * coin, `funds ${world.messages.length}`);
  const destination = bytesToHex(encode(lockupScriptCodec, testKeyOfGroup(1).lockupScript));
  const transfer = (walletName: string, amount: bigint) => ({
    walletName,
    destinations: [{ lockupScript: destination, amount: amount.toString(), tokens: [] }],
    gasFormula: 'document',
  });
  await ask('create', { walletName: 'created', password, passphrase });
  await ask('create', { walletName: 'created', password: otherPassword, passphrase });
  await ask('create', { walletName: 'mine', password, isMiner: true, mnemonicSize: 12 });
  await ask('create', { walletName: 'bad/name', password, passphrase });
  await ask('create', { walletName: 'created-2', password, mnemonicSize: 11 });
  await ask('restore', { walletName: 'restored', password: otherPassword, mnemonic, passphrase });
  await ask('restore', { walletName: 'funded', password: otherPassword, mnemonic: developmentMnemonic.join(' ') });
  await ask('restore', { walletName: 'restored-2', password, mnemonic: misspelt });
  await ask('restore', { walletName: 'forgotten', password: wrongPassword, mnemonic, passphrase });
  await ask('restore', { walletName: 'forgotten', password, mnemonic, passphrase });
  await ask('restore', { walletName: 'forgotten', password, mnemonic, passphrase: wrongPassphrase });
  await ask('restore', { walletName: 'forgotten', password, mnemonic, passphrase, isMiner: true });
  await ask('restore', { walletName: 'restored-2', password, mnemonic: mnemonic.replace(restored[3]!, 'xyzzy') });
  await ask('restore', { password, mnemonic, passphrase });
  for (const walletName of ['created', 'mine', 'restored', 'funded', 'nobody']) {
    await ask('get', { walletName });
    await ask('addresses', { walletName });
    await ask('address-info', { walletName, address: 'unknown' });
    await ask('balances', { walletName });
    await ask('sign', { walletName, data: '11'.repeat(32) });
    await ask('sign', { walletName, data: 'no hexadecimal' });
    await ask('derive-next-address', { walletName, group: 2 });
    await ask('change-active-address', { walletName, address: '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH' });
    await ask('transfer', transfer(walletName, coin));
    await ask('transfer', transfer(walletName, 10n ** 40n));
    await ask('sweep-active-address', { walletName, destination });
    await ask('sweep-all-addresses', { walletName, destination, gasAmount: 1 });
    await ask('miner-addresses', { walletName });
    await ask('derive-next-miner-addresses', { walletName });
    await ask('reveal-mnemonic', { walletName, password: otherPassword });
    await ask('lock', { walletName });
    await ask('transfer', transfer(walletName, coin));
    await ask('sweep-all-addresses', { walletName, destination });
    await ask('reveal-mnemonic', { walletName, password: wrongPassword });
    world.clock.advance(10_000);
    await ask('reveal-mnemonic', { walletName, password });
    await ask('unlock', { walletName, password: wrongPassword, passphrase });
    await ask('unlock', { walletName, password: otherPassword, passphrase: wrongPassphrase });
    world.clock.advance(10_000);
    await ask('unlock', { walletName, password, passphrase });
    world.clock.advance(10_000);
    await ask('unlock', { walletName, password: otherPassword, passphrase });
    world.clock.advance(10_000);
    await ask('delete', { walletName, password: wrongPassword });
  }
  await ask('list', {});
  world.clock.advance(lockTimeoutMs);
};

const deleteAll = async (): Promise<void> => {
  for (const walletName of ['created', 'mine', 'restored', 'funded', 'forgotten'])
    for (const one of [password, otherPassword]) {
      await ask('delete', { walletName, password: one });
      world.clock.advance(900_000);
    }
};

/** Answers get lost: the deadlines pass while the requests are under way. */
const underChaos = async (): Promise<void> => {
  world.network.setFaults(createChaos({ seed: 7, lose: 0.3, repeat: 0.2, reorder: 0.2 }));
  const timer = setInterval(() => world.busClock.advance(1000), 5);
  await everything();
  clearInterval(timer);
  world.network.setFaults(undefined);
};

/** Faults on our side, which are logged with what was thrown. */
const overBrokenTable = async (): Promise<void> => {
  const table = `"${schema}".wallet`;
  await everything();
  await database.host.service(schema).script(`UPDATE ${table} SET secret = decode('01ff', 'hex')`);
  await everything();
  await database.host.service(schema).script(`ALTER TABLE ${table} RENAME COLUMN secret TO hidden`);
  await everything();
  await database.host.service(schema).script(`ALTER TABLE ${table} RENAME COLUMN hidden TO secret`);
};

const capture =
  (write: typeof process.stdout.write): typeof process.stdout.write =>
  (...parts: unknown[]) => {
    printed.push(String(parts[0]));
    return Reflect.apply(write, process.stdout, parts) as boolean;
  };

beforeAll(async () => {
  database = await temporaryDatabase();
  world = await createWorld({ host: () => database.host, schema });
  process.stdout.write = capture(originals.out);
  process.stderr.write = capture(originals.error);
  await everything();
  await world.restart();
  await everything();
  await deleteAll();
  await underChaos();
  await deleteAll();
  await overBrokenTable();
  process.stdout.write = originals.out;
  process.stderr.write = originals.error;
});
afterAll(async () => {
  await world.stop();
  await database.remove();
});

/** Name and text of everything that nobody else may see. */
const secrets = async (): Promise<[string, string][]> => {
  const named: [string, string][] = [
    ['a password', password],
    ['a password', otherPassword],
    ['a wrong password', wrongPassword],
    ['a passphrase', passphrase],
    ['a wrong passphrase', wrongPassphrase],
  ];
  const mnemonics = [restored, developmentMnemonic, ...createReplies.map((text) => text.split(' '))];
  for (const words of mnemonics) {
    for (let i = 1; i < words.length; i++) {
      named.push(['two words', `${words[i - 1]} ${words[i]}`], ['two words', `${words[i - 1]}","${words[i]}`]);
    }
    for (const between of [' ', '","']) {
      for (let i = 2; i < words.length; i++) named.push(['three words', words.slice(i - 2, i + 1).join(between)]);
    }
    for (const given of [undefined, passphrase]) {
      const seed = await seedOf(words, given);
      const keys = Array.from({ length: 6 }, (_, index) => deriveWalletKey(seed, index).privateKey);
      for (const bytes of [seed, ...keys]) {
        const base64 = Buffer.from(bytes).toString('base64').slice(0, 30);
        named.push(['key bytes', bytesToHex(bytes)], ['key bytes', base64], ['key bytes', bytes.join(',')]);
        // One byte less: the form of a truncated or re-encoded key.
        named.push(
          ['key bytes', bytesToHex(bytes.subarray(1))],
          ['key bytes', JSON.stringify({ ...bytes }).slice(1, 60)],
        );
      }
    }
  }
  return named;
};

const leaksIn = (text: string, named: readonly [string, string][]): string[] => {
  const lower = text.toLowerCase();
  return named
    .filter(([, secret]) => lower.includes(secret.toLowerCase()))
    .map(([name, secret]) => `${name}: ${secret}`);
};

describe('secrets of wallets', () => {
  it('were all in play: the search would find them', async () => {
    const requests = world.messages.filter(({ part }) => part === 'request').map(({ content }) => textOf(content));
    const found = leaksIn(requests.join('\n'), await secrets());
    for (const kind of ['a password', 'a wrong password', 'a passphrase', 'a wrong passphrase', 'two words'])
      expect(found.filter((one) => one.startsWith(`${kind}:`)).length).toBeGreaterThan(0);
    expect(createReplies.length).toBeGreaterThan(4);
    expect(revealReplies.length).toBeGreaterThan(4);
    expect(revealReplies.some((words) => createReplies.includes(words))).toBe(true);
    expect(world.ledger.submitted.length).toBeGreaterThan(1);
    expect(thrown.length).toBeGreaterThan(100);
    const codes = new Set(thrown.map((error) => (error as { code: string }).code));
    for (const code of [
      'InvalidPassword',
      'InvalidPassphrase',
      'TooManyWrongPasswords',
      'InvalidMnemonic',
      'WalletExists',
      'WalletLocked',
      'WalletNotFound',
      'DeadlineExceeded',
      'InvalidWalletRecord',
      'InternalServerError',
    ])
      expect(codes).toContain(code);
    expect(world.logLines.some((line) => line.includes('request handler failed'))).toBe(true);
  });

  it('are in no line of the log, at the finest level', async () => {
    expect(leaksIn(world.logLines.join('\n'), await secrets())).toEqual([]);
  });

  it('no word of a restored mnemonic is in the log either', () => {
    const text = world.logLines.join('\n').toLowerCase();
    expect(restored.filter((word) => new RegExp(`\\b${word}\\b`).test(text))).toEqual([]);
  });

  it('are not printed', async () => {
    expect(leaksIn(printed.join('\n'), await secrets())).toEqual([]);
  });

  it('are in no error', async () => {
    expect(leaksIn(thrown.map(textOf).join('\n'), await secrets())).toEqual([]);
  });

  it('travel in requests to the wallet-service and in the replies of create and reveal, nowhere else', async () => {
    const toWallet = `${ns}.rpc.wallet.`;
    const others = world.messages.filter(
      ({ subject, part }) =>
        !(part === 'request' && subject.startsWith(toWallet)) &&
        !(part === 'reply' && [`${toWallet}create`, `${toWallet}reveal-mnemonic`].includes(subject)),
    );
    expect(others.some(({ subject }) => subject.includes('.rpc.group.'))).toBe(true);
    expect(leaksIn(others.map(({ content }) => textOf(content)).join('\n'), await secrets())).toEqual([]);
    const named = await secrets();
    const noPassword = world.messages.filter(
      ({ subject, part }) =>
        subject.startsWith(toWallet) && part === 'request' && !/create|restore|unlock|delete|reveal/.test(subject),
    );
    expect(leaksIn(noPassword.map(({ content }) => textOf(content)).join('\n'), named)).toEqual([]);
  });

  it('are in no file of the database', async () => {
    const named = await secrets();
    const files = readdirSync(database.dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(100);
    // Descriptions in PostgreSQL's own catalogue have pairs of common words, as a random mnemonic may have.
    const looked = named.filter(([name]) => !['key bytes', 'two words'].includes(name));
    const needles = looked.map(([, secret]) => Buffer.from(secret));
    const leaking = files.filter((one) => {
      const bytes = readFileSync(join(one.parentPath, one.name));
      return needles.some((needle) => bytes.includes(needle));
    });
    expect(leaking.map(({ name }) => name)).toEqual([]);
  });
});
