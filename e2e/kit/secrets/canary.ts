import { pbkdf2Sync, randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { deriveKey, deriveWalletKey, type Mnemonic, mnemonicToSeed, parseMnemonic } from '@shardnode/protocol/address';
import { type Secret } from './secret-search.js';

/** A wallet's words with everything that follows from them, and the other secrets of its owner. */
export interface Canary {
  readonly mnemonic: string;
  readonly password: string;
  readonly wrongPassword: string;
  readonly passphrase: string;
  readonly apiKey: string;
}

const word = (what: string): string => `${what}-${randomBytes(12).toString('hex')}`;

/** Only the words are given: they come from the wallet-service. */
export const newCanary = (mnemonic: string): Canary => ({
  mnemonic,
  password: word('password of the canary'),
  wrongPassword: word('wrong password of the canary'),
  passphrase: word('passphrase of the canary'),
  apiKey: word('key of the canary'),
});

const paths = ['m', "m/44'", "m/44'/1234'", "m/44'/1234'/0'", "m/44'/1234'/0'/0"];
/** Keys of a wallet that a test may come to use. */
const keys = 24;

const seedWith = (mnemonic: Mnemonic, passphrase: string): Promise<Uint8Array> =>
  mnemonicToSeed(mnemonic, passphrase, (password, salt, rounds, length) =>
    Promise.resolve(new Uint8Array(pbkdf2Sync(password, salt, rounds, length, 'sha512'))),
  );

const ofSeed = (name: string, seed: Uint8Array): Secret[] => [
  { name: `${name}: seed`, bytes: seed },
  ...paths.flatMap((path) => {
    const { privateKey, chainCode } = deriveKey(seed, path);
    const node = new HDKey({ privateKey, chainCode });
    return [
      { name: `${name}: key ${path}`, bytes: privateKey },
      { name: `${name}: chain code ${path}`, bytes: chainCode },
      { name: `${name}: extended key ${path}`, text: node.privateExtendedKey },
    ];
  }),
  ...Array.from({ length: keys }, (_, index) => ({
    name: `${name}: private key ${index}`,
    bytes: deriveWalletKey(seed, index).privateKey,
  })),
];

/** Everything that must not be found, under the names of `Canary`; what follows from the words is named after them. */
export const secretsOf = async (canary: Canary): Promise<Secret[]> => {
  const words = parseMnemonic(canary.mnemonic)!;
  return [
    { name: 'mnemonic', words: canary.mnemonic.split(' ') },
    ...ofSeed('mnemonic', await seedWith(words, '')),
    ...ofSeed('mnemonic with passphrase', await seedWith(words, canary.passphrase)),
    { name: 'password', text: canary.password },
    { name: 'wrong password', text: canary.wrongPassword },
    { name: 'passphrase', text: canary.passphrase },
    { name: 'API key', text: canary.apiKey },
  ];
};
