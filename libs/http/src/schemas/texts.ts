import { textLengths } from '@shardnode/messages';
import { parseAddress } from '@shardnode/protocol/address';
import { type AssetLockupScript, type LockupScript } from '@shardnode/protocol/primitives';
import { addressFailure, addressOfKindFailure, flagFailure } from './decode-failure.js';
import { developmentValues } from './development-values.js';
import { mistake, type Leaf } from './leaf.js';

/** Any text of at most `maxLength` code points. */
export const text = (description: string, example: string, maxLength: number): Leaf<string> => ({
  expects: 'a text',
  read: (raw) => (typeof raw === 'string' ? raw : undefined),
  meaning: { description, example, type: 'string', format: 'text', maxLength },
});

/** A secret text; the example is public. */
export const secretText = (description: string, example = 'correct horse battery staple'): Leaf<string> => ({
  ...text(description, example, textLengths.secret),
  meaning: { description, example, type: 'string', format: 'password', maxLength: textLengths.secret, isSecret: true },
});

/** A secret text that somebody chooses now: of `least` characters, not bytes. One that was chosen before is not measured. */
export const newSecretText = (description: string, least: number): Leaf<string> => {
  const { meaning } = secretText(description);
  return {
    expects: `a text of at least ${least} characters`,
    read: (raw) => (typeof raw === 'string' && [...raw].length >= least ? raw : undefined),
    meaning: { ...meaning, minLength: least },
  };
};

/** `true` or `false`; in a query as words in upper or lower case. */
export const flag = (description: string, example: boolean): Leaf<boolean> => ({
  expects: 'true or false',
  failure: flagFailure,
  read: (raw) => {
    if (typeof raw === 'boolean') return raw;
    const word = typeof raw === 'string' ? raw.toLowerCase() : undefined;
    return word === 'true' || word === 'false' ? word === 'true' : undefined;
  },
  meaning: { description, example, type: 'boolean' },
});

/** One of some words. */
export const choice = <const Word extends string>(words: readonly Word[], description: string): Leaf<Word> => ({
  expects: `one of ${words.join(', ')}`,
  read: (raw) => words.find((word) => word === raw),
  meaning: { description, example: words[0], type: 'string', enum: words },
});

/** An address with its lockup script. */
export interface ReadAddress<Script extends LockupScript = LockupScript> {
  readonly text: string;
  readonly lockupScript: Script;
}

const exampleAddress = developmentValues.accounts[0].address;
const base58 = { format: 'base58', pattern: '^[1-9A-HJ-NP-Za-km-z]+$', maxLength: textLengths.address };

/** Any address, contracts included. */
export const address: Leaf<ReadAddress> = {
  expects: 'an address',
  failure: addressFailure,
  read: (raw) => {
    const lockupScript = typeof raw === 'string' ? parseAddress(raw) : undefined;
    return lockupScript && { text: raw as string, lockupScript };
  },
  meaning: { description: 'Address, base58', example: exampleAddress, type: 'string', ...base58 },
};

const kindOf = (raw: string): LockupScript['kind'] | undefined => parseAddress(raw)?.kind;

/** An address that is no contract. */
export const assetAddress: Leaf<ReadAddress<AssetLockupScript>> = {
  expects: 'an address of keys or of a script',
  failure: addressOfKindFailure('asset', (raw) => kindOf(raw) === 'p2c'),
  read: (raw) => {
    const read = address.read(raw);
    if (read === undefined || 'message' in read) return undefined;
    const { lockupScript } = read;
    return lockupScript.kind === 'p2c'
      ? mistake('expected an address of keys or of a script, but it is a contract address')
      : { text: read.text, lockupScript };
  },
  meaning: { description: 'Address that is no contract, base58', example: exampleAddress, type: 'string', ...base58 },
};

/** An address of a contract. */
export const contractAddress: Leaf<ReadAddress<Exclude<LockupScript, AssetLockupScript>>> = {
  expects: 'a contract address',
  failure: addressOfKindFailure('contract', (raw) => (kindOf(raw) ?? 'p2c') !== 'p2c'),
  read: (raw) => {
    const read = address.read(raw);
    if (read === undefined || 'message' in read) return undefined;
    const { lockupScript } = read;
    return lockupScript.kind === 'p2c'
      ? { text: read.text, lockupScript }
      : mistake(`Expect contract address, but was asset address: ${read.text}`);
  },
  meaning: {
    description: 'Address of a contract, base58',
    example: developmentValues.contract.address,
    type: 'string',
    ...base58,
  },
};
