import { blake2bHash } from '@shardnode/protocol/crypto';
import { bytesToHex, decode } from '@shardnode/protocol/encoding';
import { outputCodec } from '@shardnode/protocol/transaction';
import { type ContractEffects, type ContractRules, type LedgerEvent, type StateBefore } from './contract-rules.js';
import { emptyContracts, seedContractId } from './empty-state.js';
import { blockText, type LedgerBlock } from './ledger-block.js';
import { rootHash, trieEntries, trieGet, type TrieNode, triePut, trieRemove } from './naive-trie.js';
import { type Problems } from './problems.js';

/** The value of the output trie under a reference. */
type Outputs = (reference: string) => Uint8Array | undefined;

/** The part of a record that links the tries: its last 68 bytes (protocol 04 §4.2). */
interface RecordEnd {
  readonly fields: string;
  readonly reference: string;
  readonly immutableStateHash: string;
}

/** Splits a value of the contract trie: fields, output reference of 36 bytes, hash of 32 bytes. */
const recordEnd = (value: Uint8Array): RecordEnd => {
  const text = bytesToHex(value);
  return { fields: text.slice(0, -136), reference: text.slice(-136, -64), immutableStateHash: text.slice(-64) };
};

/** A contract in the state after a block; encoded values in hexadecimal digits. */
export interface ContractEntry {
  readonly contractId: string;
  readonly mutableFields: string;
  readonly reference: string;
  readonly codeHash: string;
  readonly initialStateHash: string;
  readonly immutableFields: string;
  readonly code: string;
}

/** The contract tries after intra-group blocks, the immutable entries of all of them, and their events. */
export class ContractStates {
  private readonly tries = new Map<LedgerBlock, TrieNode>();
  private readonly immutables = new Map<string, Uint8Array>();
  private readonly events = new Map<string, readonly LedgerEvent[]>();

  constructor(
    private readonly rules: ContractRules | undefined,
    private readonly problems: Problems,
  ) {}

  begin(genesis: LedgerBlock): void {
    this.tries.set(genesis, emptyContracts);
  }

  /** Computes the state after an intra-group block from the one after `base`. */
  add(block: LedgerBlock, base: LedgerBlock, before: Outputs, after: Outputs): void {
    const trie = this.tries.get(base)!;
    const scripts = block.transactions.some(({ transaction }) => transaction.unsigned.script !== undefined);
    if (!scripts || !this.rules) {
      this.tries.set(block, trie);
      return;
    }
    const effects = this.run(block, this.rules, {
      output: before,
      record: (id) => trieGet(trie, id),
      immutable: (hash) => this.immutables.get(hash),
    });
    this.addImmutable(block, effects);
    this.events.set(block.hash, effects.events);
    this.tries.set(block, this.applied(trie, effects));
    for (const [id, value] of effects.records) if (value) this.checkRecord(block, id, value, after);
  }

  /** Releases the contracts after a block. */
  release(block: LedgerBlock): void {
    this.tries.delete(block);
  }

  root(block: LedgerBlock): string {
    return rootHash(this.tries.get(block)!);
  }

  /** The events of a block, in the order of emission. */
  eventsOf(hash: string): readonly LedgerEvent[] {
    return this.events.get(hash) ?? [];
  }

  /** The contracts after an intra-group block, ascending by id. */
  contractsAfter(block: LedgerBlock): ContractEntry[] {
    const trie = this.tries.get(block);
    return (trie ? trieEntries(trie) : []).flatMap(({ key, data }) => {
      const { fields, reference, immutableStateHash } = recordEnd(data);
      const state = this.immutables.get(immutableStateHash);
      // A missing one is a separate problem.
      if (key === seedContractId || !state) return [];
      const text = bytesToHex(state);
      const codeHash = text.slice(2, 66);
      const code = bytesToHex(this.immutables.get(codeHash) ?? new Uint8Array(1)).slice(2);
      const immutable = { codeHash, initialStateHash: text.slice(66, 130), immutableFields: text.slice(130), code };
      return [{ contractId: key, mutableFields: fields, reference, ...immutable }];
    });
  }

  /** Every contract has its output, and every contract output its contract (protocol 04 §4.4). */
  checkAll(block: LedgerBlock, outputs: readonly { readonly key: string; readonly data: Uint8Array }[]): void {
    const trie = this.tries.get(block);
    if (!trie) return;
    const byReference = new Map(outputs.map(({ key, data }) => [key, data]));
    const named = new Set<string>();
    for (const { key, data } of trieEntries(trie)) {
      if (key === seedContractId) continue;
      named.add(recordEnd(data).reference);
      this.checkRecord(block, key, data, (reference) => byReference.get(reference));
    }
    for (const { key, data } of outputs) {
      if (data[0] === 0 || named.has(key)) continue;
      const text = `after ${blockText(block)} no contract has the contract output ${key}`;
      this.problems.add('ContractOutputWithoutContract', key, text);
    }
  }

  private run(block: LedgerBlock, rules: ContractRules, before: StateBefore): ContractEffects {
    const { hash, from, timestamp, target, transactions } = block;
    const effects = rules({ hash, group: from, timestamp, target, transactions: transactions.slice(0, -1) }, before);
    for (const { id, reason } of effects.refused) {
      this.problems.add('ScriptRefused', id, `transaction ${id} in ${blockText(block)} is not valid: ${reason}`);
    }
    return effects;
  }

  /** The key of an entry is the hash of the bytes after its tag byte (protocol 04 §4.3). */
  private addImmutable(block: LedgerBlock, { immutable }: ContractEffects): void {
    for (const [hash, value] of immutable) {
      if (blake2bHash(value.subarray(1)) !== hash) {
        const text = `${blockText(block)} puts an immutable entry under ${hash}, which is not its hash`;
        this.problems.add('ImmutableEntryDiffers', hash, text);
      }
      this.immutables.set(hash, value);
    }
  }

  private applied(trie: TrieNode, { records }: ContractEffects): TrieNode {
    let root = trie;
    for (const [id, value] of records) {
      if (value) root = triePut(root, id, value);
      else if (trieGet(root, id)) root = trieRemove(root, id)!;
    }
    return root;
  }

  /** Checks that the contract output, the immutable state and its code of a record exist. */
  private checkRecord(block: LedgerBlock, id: string, value: Uint8Array, outputs: Outputs): void {
    const { reference, immutableStateHash } = recordEnd(value);
    const bytes = outputs(reference);
    const output = bytes && decode(outputCodec, bytes);
    const who = `after ${blockText(block)} contract ${id}`;
    if (output?.kind !== 'contract' || output.contractId !== id) {
      this.problems.add('ContractWithoutOutput', `${id} ${reference}`, `${who} has no contract output ${reference}`);
    }
    const state = this.immutables.get(immutableStateHash);
    const code = state && this.immutables.get(bytesToHex(state).slice(2, 66));
    if (state?.[0] === 0 && code?.[0] === 1) return;
    const missing = state ? 'code' : 'immutable state';
    this.problems.add('ImmutableEntryMissing', `${id} ${immutableStateHash}`, `${who} has no ${missing}`);
  }
}
