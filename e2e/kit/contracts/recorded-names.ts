import { addressOf } from '@shardnode/protocol/address';
import { type Hash, type LockupScript } from '@shardnode/protocol/primitives';

/** Hash in the lockup script of a key or a contract. */
const hashOf = (script: LockupScript): Hash => {
  if (script.kind === 'p2pkh') return script.publicKeyHash;
  if (script.kind === 'p2c') return script.contractId;
  throw new Error(`not the address of a key or a contract: ${addressOf(script)}`);
};

const idOrAddress = /[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{40,}/g;
const unknown = '\0';

/**
 * Recorded keys, contracts and tokens, and those of this network in their place. All have 32 bytes, so a code or a
 * transaction has the same length, and costs the same gas, with either.
 */
export class RecordedNames {
  private readonly texts: Map<string, string>;

  constructor(from?: RecordedNames) {
    this.texts = new Map(from?.texts);
  }

  key(recorded: LockupScript, here: LockupScript): void {
    this.texts.set(hashOf(recorded), hashOf(here));
    this.texts.set(addressOf(recorded), addressOf(here));
  }

  /** Of a contract and of its token. */
  contract(recorded: Hash, here: Hash): void {
    this.key({ kind: 'p2c', contractId: recorded }, { kind: 'p2c', contractId: here });
  }

  knows(recorded: Hash): boolean {
    return this.texts.has(recorded);
  }

  /** What is around the ids and addresses that have no name here: those of contracts that no transaction creates. */
  partsHere(text: string): readonly string[] {
    const known = text.replaceAll(idOrAddress, (word) => (this.texts.has(word) ? word : unknown));
    return this.here(known).split(unknown);
  }

  /** Hexadecimal digits or other text, with the names of this network. */
  here(text: string): string {
    let result = text;
    for (const [recorded, here] of this.texts) result = result.replaceAll(recorded, here);
    return result;
  }
}
