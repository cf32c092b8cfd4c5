import { type Hash } from '@shardnode/protocol/primitives';

interface TokenNumber {
  readonly tokenId: number;
  readonly amount: bigint;
}

/** An output in memory, with its condition in the database and the one that it will have. */
export interface SliceOutput {
  readonly txId: bigint;
  readonly order: number;
  readonly key: Hash;
  readonly addressId: bigint;
  readonly amount: bigint;
  readonly tokens: readonly TokenNumber[];
  /** In the database. */
  readonly stored: Spending;
  /** After the transaction. */
  now: Spending;
}

/** `absent`: no such row; otherwise unspent, or the `tx_id` of the spender. */
type Spending = 'absent' | 'unspent' | bigint;

/** An input in memory. */
export interface SliceInput {
  readonly txId: bigint;
  readonly order: number;
  readonly key: Hash;
  readonly isContract: boolean;
  /** As stored; undefined of contract inputs. */
  readonly unlockScript: Uint8Array | undefined;
  /** `address_id` by the unlock script, where it says it. Of a stored input only while it is unresolved. */
  signerId: bigint | undefined;
  /** Undefined: unresolved. */
  output: SliceOutput | undefined;
  /** Its output has another spender. */
  conflict: boolean;
}

/** A transaction in memory. Its lists are complete. */
export interface SliceTransaction {
  readonly txId: bigint;
  readonly outputs: readonly SliceOutput[];
  readonly inputs: readonly SliceInput[];
  /** Its rows of address_txs, token_txs and address_token_txs in the database; undefined of a new transaction. */
  readonly storedParts: TransactionParts | undefined;
}

/** Addresses and tokens that a transaction touches (protocol 08 §4.5 step 6). */
export interface TransactionParts {
  readonly addresses: ReadonlySet<bigint>;
  readonly tokens: ReadonlySet<number>;
  /** Address and token by `address/token`. */
  readonly pairs: ReadonlyMap<string, AddressToken>;
}

export interface AddressToken {
  readonly addressId: bigint;
  readonly tokenId: number;
}

export const pairKey = ({ addressId, tokenId }: AddressToken): string => `${addressId}/${tokenId}`;

/** `address_id` of an input as far as it is known. */
const inputAddress = ({ output, signerId }: SliceInput): bigint | undefined => output?.addressId ?? signerId;

/** The parts of a transaction: outputs, and inputs as far as they are known. */
export const partsOf = ({ outputs, inputs }: Pick<SliceTransaction, 'outputs' | 'inputs'>): TransactionParts => {
  const addresses = new Set<bigint>();
  const tokens = new Set<number>();
  const pairs = new Map<string, AddressToken>();
  const touch = ({ addressId, tokens: held }: SliceOutput): void => {
    addresses.add(addressId);
    for (const { tokenId } of held) {
      tokens.add(tokenId);
      pairs.set(pairKey({ addressId, tokenId }), { addressId, tokenId });
    }
  };
  outputs.forEach(touch);
  for (const input of inputs) {
    if (input.output) touch(input.output);
    else if (input.signerId !== undefined) addresses.add(input.signerId);
  }
  return { addresses, tokens, pairs };
};

/** The one address that all asset inputs have; undefined if they differ or one is unknown (protocol 08 §3.5). */
export const commonInputAddress = ({ inputs }: SliceTransaction): bigint | undefined => {
  const found = new Set(inputs.filter(({ isContract }) => !isContract).map(inputAddress));
  return found.size === 1 ? [...found][0] : undefined;
};

const nothing: TransactionParts = { addresses: new Set(), tokens: new Set(), pairs: new Map() };

/**
 * The part of the index that one database transaction changes. Rows are loaded or added, changed here, and written as
 * the difference: outputs and inputs by `write-slice.ts`, parts and totals by `totals.ts`.
 */
export class LedgerSlice {
  private readonly byPlace = new Map<string, SliceOutput>();
  private readonly byKey = new Map<Hash, SliceOutput>();
  readonly transactions = new Map<bigint, SliceTransaction>();
  readonly removed = new Set<bigint>();
  /** Stored inputs with another output, or another `conflict`. */
  readonly changedInputs = new Set<SliceInput>();

  get outputs(): Iterable<SliceOutput> {
    return this.byPlace.values();
  }

  outputOfKey(key: Hash): SliceOutput | undefined {
    return this.byKey.get(key);
  }

  /** Adds an output, unless it is there already; returns the one that is there. */
  addOutput(output: SliceOutput): SliceOutput {
    const place = `${output.txId}/${output.order}`;
    const known = this.byPlace.get(place);
    if (known) return known;
    this.byPlace.set(place, output);
    this.byKey.set(output.key, output);
    return output;
  }

  addTransaction(transaction: SliceTransaction): void {
    this.transactions.set(transaction.txId, transaction);
  }

  /** Resolves an input: it spends the output, or conflicts with its spender (protocol 08 §4.5 step 4). */
  spend(input: SliceInput, output: SliceOutput): void {
    input.output = output;
    input.conflict = output.now !== 'unspent';
    if (!input.conflict) output.now = input.txId;
    this.noteChange(input);
  }

  /** Makes an input that conflicted the spender of its free output (protocol 08 §4.7 step 2). */
  promote(input: SliceInput): void {
    input.conflict = false;
    input.output!.now = input.txId;
    this.noteChange(input);
  }

  /** Makes an input unresolved: its output is gone (protocol 08 §4.7 step 3). */
  release(input: SliceInput, signerId: bigint | undefined): void {
    input.output = undefined;
    input.conflict = false;
    input.signerId = signerId;
    this.noteChange(input);
  }

  /** Removes a loaded transaction: its outputs are gone, those that it spent are free. */
  remove(transaction: SliceTransaction): void {
    this.removed.add(transaction.txId);
    for (const { output, conflict } of transaction.inputs) {
      if (output && !conflict && output.now !== 'absent') output.now = 'unspent';
    }
    for (const output of transaction.outputs) output.now = 'absent';
  }

  /** Parts before and after, of each transaction. */
  *partChanges(): Iterable<{ txId: bigint; before: TransactionParts; after: TransactionParts }> {
    for (const transaction of this.transactions.values()) {
      const after = this.removed.has(transaction.txId) ? nothing : partsOf(transaction);
      yield { txId: transaction.txId, before: transaction.storedParts ?? nothing, after };
    }
  }

  private noteChange(input: SliceInput): void {
    if (this.transactions.get(input.txId)?.storedParts) this.changedInputs.add(input);
  }
}
