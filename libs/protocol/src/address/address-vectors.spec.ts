/* eslint-disable @typescript-eslint/no-explicit-any -- the entries of a vector file have as many shapes as sections */
import { pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { readVectors, vectorOrigin } from '@shardnode/testing/vectors';
import { blake2bHash, sha256 } from '../crypto/index.js';
import { bytesToHex, decode, encode, hexToBytes } from '../encoding/index.js';
import {
  type LockupScript,
  groupOfContract,
  groupOfLockupScript,
  groupOfReference,
  lockupScriptCodec,
  outputHint,
  scriptHint,
} from '../primitives/index.js';
import { statelessScriptCodec, statelessScriptHash } from '../script/index.js';
import { outputKey } from '../transaction/index.js';
import {
  type KeyStretcher,
  type WalletKey,
  addressOf,
  contractIdOf,
  decodeBase58,
  deriveKey,
  deriveWalletKey,
  entropyLength,
  hasValidChecksum,
  mnemonicFromEntropy,
  mnemonicToSeed,
  mnemonicToSeedOfRawPassphrase,
  multisigOf,
  p2pkhOf,
  parseAddress,
  parseAssetAddress,
  parseMnemonic,
  subContractIdOf,
  walletKeys,
} from './index.js';

type Entry = Record<string, any>;

const stretch: KeyStretcher = async (password, salt, rounds, length) =>
  Uint8Array.from(pbkdf2Sync(password, salt, rounds, length, 'sha512'));

const groupOf = (script: LockupScript, groups: number): number | null =>
  script.kind === 'p2c' ? (groupOfContract(script.contractId, groups) ?? null) : groupOfLockupScript(script, groups);

/** The lockup script made from the parts that a vector names, without decoding anything. */
const scriptFrom = (entry: Entry): LockupScript => {
  switch (entry.kind) {
    case 'p2pkh':
      return entry.publicKey
        ? p2pkhOf(hexToBytes(entry.publicKey))
        : { kind: 'p2pkh', publicKeyHash: entry.publicKeyHash };
    case 'p2mpkh':
      return entry.publicKeys
        ? multisigOf(
            entry.publicKeys.map((key: string) => hexToBytes(key)),
            entry.m,
          )
        : { kind: 'p2mpkh', publicKeyHashes: entry.publicKeyHashes, m: entry.m };
    case 'p2sh':
      return {
        kind: 'p2sh',
        scriptHash: entry.script
          ? statelessScriptHash(decode(statelessScriptCodec, hexToBytes(entry.script)))
          : entry.scriptHash,
      };
    default:
      return { kind: 'p2c', contractId: entry.contractId };
  }
};

const address = (entry: Entry): void => {
  const script = scriptFrom(entry);
  expect(bytesToHex(encode(lockupScriptCodec, script))).toBe(entry.lockupScript);
  expect(addressOf(script)).toBe(entry.address);
  expect(parseAddress(entry.address)).toEqual(script);
  expect(parseAssetAddress(entry.address)).toEqual(script.kind === 'p2c' ? undefined : script);
  expect(scriptHint(script)).toBe(entry.scriptHint);
  const hint = outputHint(script);
  expect(hint).toBe(entry.outputHint);
  expect((hint >>> 0).toString(16).padStart(8, '0')).toBe(entry.outputHintBytes);
  expect([groupOf(script, 4), groupOf(script, 3)]).toEqual([entry.groupOf4, entry.groupOf3]);
  if (script.kind !== 'p2c') expect(groupOfReference({ hint, key: '' }, 4)).toBe(entry.groupOf4);
};

const contractId = (entry: Entry): void => {
  const { transactionId, outputIndex, group } = entry as { transactionId: string; outputIndex: number; group: number };
  const id = contractIdOf(transactionId, outputIndex, group);
  const script: LockupScript = { kind: 'p2c', contractId: id };
  expect([id, id]).toEqual([entry.contractId, entry.tokenId]);
  expect(outputKey(transactionId, outputIndex)).toBe(entry.outputKey);
  expect([addressOf(script), outputHint(script)]).toEqual([entry.contractAddress, entry.contractOutputHint]);
  expect(groupOfContract(id, 4)).toBe(group);
};

const keyForm = (key: WalletKey, index: number): Entry => {
  const script = p2pkhOf(key.publicKey);
  return {
    index,
    path: key.path,
    privateKey: bytesToHex(key.privateKey),
    publicKey: bytesToHex(key.publicKey),
    address: addressOf(script),
    group: groupOfLockupScript(script, 4),
  };
};

const mnemonic = async (entry: Entry): Promise<void> => {
  const words = parseMnemonic(entry.mnemonic)!;
  expect(words.length).toBe(entry.words);
  const seed = await mnemonicToSeedOfRawPassphrase(words, entry.passphrase, stretch);
  expect(bytesToHex(seed)).toBe(entry.seed);
  const { at: keyOf } = walletKeys(seed);
  expect([0, 1, 2, 3, 4, 5].map((index) => keyForm(keyOf(index), index))).toEqual(entry.firstSix);
  expect(deriveWalletKey(seed, 5)).toEqual(keyOf(5));
  const first: Entry[] = [];
  for (let index = 0; first.length < 4; index++) {
    const form = keyForm(keyOf(index), index);
    if (!first.some(({ group }) => group === form.group)) first.push(form);
  }
  first.sort((a, b) => a.group - b.group);
  for (const { firstIndex, ...expected } of entry.firstAddressOfEachGroup as Entry[])
    expect(first[expected.group]).toMatchObject({ ...expected, index: firstIndex });
  expect(entry.firstAddressOfEachGroup.length).toBe(4);
};

const bip39 = async (entry: Entry): Promise<void> => {
  const entropy = hexToBytes(entry.entropy);
  const words = mnemonicFromEntropy(entropy);
  expect(words.join(' ')).toBe(entry.mnemonic);
  expect(entropyLength(entry.words)).toBe(entropy.length);
  expect(parseMnemonic(entry.mnemonic)).toEqual(words);
  expect(hasValidChecksum(words)).toBe(true);
  const seed = await mnemonicToSeed(words, entry.passphrase, stretch);
  expect(bytesToHex(seed)).toBe(entry.seed);
  const master = deriveKey(seed, 'm');
  expect(bytesToHex(master.privateKey)).toBe(entry.masterPrivateKey);
  expect(bytesToHex(master.chainCode)).toBe(entry.masterChainCode);
};

const nonAsciiPassphrase = async (entry: Entry): Promise<void> => {
  expect(bytesToHex(new TextEncoder().encode(entry.passphrase))).toBe(entry.passphraseUtf8Hex);
  const words = parseMnemonic(entry.mnemonic)!;
  const raw = await mnemonicToSeedOfRawPassphrase(words, entry.passphrase, stretch);
  expect(bytesToHex(raw)).toBe(entry.seed);
  const normalised = await mnemonicToSeed(words, entry.passphrase, stretch);
  const isNormal = entry.passphrase.normalize('NFKD') === entry.passphrase;
  expect(bytesToHex(normalised) === entry.seed).toBe(isNormal);
};

/** What each section of the file asks. */
const claims: Record<string, (entry: Entry) => void | Promise<void>> = {
  addresses: address,
  invalidAddresses: (entry) => expect(parseAddress(entry.text)).toBeUndefined(),
  nonCanonicalAddresses: (entry) => {
    expect(bytesToHex(decodeBase58(entry.text)!)).toBe(entry.bytes);
    expect(addressOf(parseAddress(entry.text)!)).toBe(entry.parsesTo);
  },
  contractIds: contractId,
  subContractIds: (entry) => {
    const id = subContractIdOf(entry.parentContractId, hexToBytes(entry.path), entry.group);
    expect(id).toBe(entry.subContractId);
    expect(addressOf({ kind: 'p2c', contractId: id })).toBe(entry.contractAddress);
  },
  mnemonics: mnemonic,
  bip39,
  bip32: (entry) => {
    const node = deriveKey(hexToBytes(entry.seed), entry.path);
    expect(bytesToHex(node.privateKey)).toBe(entry.privateKey);
    expect(bytesToHex(node.chainCode)).toBe(entry.chainCode);
    expect(bytesToHex(node.publicKey)).toBe(entry.publicKey);
  },
  nonAsciiPassphrases: nonAsciiPassphrase,
  mnemonicParse: (entry) => expect(parseMnemonic(entry.text) !== undefined).toBe(entry.accepted),
};

const titleOf = ({ source: _source, seed: _seed, ...entry }: Entry): string => JSON.stringify(entry).slice(0, 100);

describe('vectors of addresses, ids and keys (addresses.json)', () => {
  const file = readVectors<Entry>('addresses.json');
  const sections = Object.entries(file).filter(([, value]) => typeof value === 'object') as [string, Entry[]][];

  if (vectorOrigin === 'original')
    it('has a section for every claim', () => {
      expect(sections.map(([name]) => name).sort()).toEqual(Object.keys(claims).sort());
    });

  it('uses the word list of the vectors', () => {
    const lines = new TextEncoder().encode(wordlist.map((word) => `${word}\n`).join(''));
    expect(bytesToHex(sha256(lines))).toBe(file['wordListSha256']);
  });

  describe.each(sections.filter(([, entries]) => entries.length > 0))('%s', (name, entries) => {
    it.each(entries.map((entry, i) => [i, titleOf(entry), entry] as const))('%i: %s', async (_i, _title, entry) => {
      const claim = claims[name];
      if (!claim) throw new Error(`no test claims the section ${name}`);
      await claim(entry);
    });
  });
});

describe('a mnemonic with a wrong checksum', () => {
  it('parses, and is told apart', () => {
    const words = parseMnemonic(Array.from({ length: 12 }, () => 'abandon').join(' '))!;
    expect(hasValidChecksum(words)).toBe(false);
  });
});

describe('lockup scripts of keys', () => {
  it('are the hash of the key, and refuse an impossible threshold', () => {
    const key = new Uint8Array(33).fill(2);
    expect(p2pkhOf(key).publicKeyHash).toBe(blake2bHash(key));
    for (const m of [0, 2, -1, 0.5]) expect(() => multisigOf([key], m)).toThrow(RangeError);
  });
});

describe('key paths', () => {
  it('that are malformed are refused', () => {
    const seed = new Uint8Array(64).fill(1);
    for (const path of ['', 'x', 'm/', 'm/a', 'm/-1', 'm/2147483648', "m/1''", 'm/1h'])
      expect(() => deriveKey(seed, path)).toThrow(RangeError);
    expect(() => deriveWalletKey(seed, -1)).toThrow(RangeError);
  });
});
