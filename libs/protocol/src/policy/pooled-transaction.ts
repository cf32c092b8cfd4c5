import {
  groupOfLockupScript,
  referenceId,
  type AssetLockupScript,
  type ChainIndex,
  type Hash,
  type OutputReference,
} from '../primitives/index.js';
import {
  chainIndexOf,
  referenceOf,
  transactionId,
  type AssetOutput,
  type TransactionTemplate,
} from '../transaction/index.js';

/** A transaction of a group's pool (protocol 02 §13.1). */
export interface PooledTransaction {
  readonly id: Hash;
  readonly template: TransactionTemplate;
  readonly chainIndex: ChainIndex;
  readonly gasPrice: bigint;
  /** Milliseconds. */
  readonly enteredAt: bigint;
  /** Map keys of the spent references. */
  readonly inputs: readonly string[];
  /** Outputs to the pool's group. */
  readonly outputs: readonly PooledOutput[];
}

export interface PooledOutput {
  readonly reference: OutputReference;
  readonly referenceId: string;
  readonly output: AssetOutput;
}

/** The key under which outputs of one lockup script are listed. */
export type LockupKey = string;

export const pooledTransaction = (
  template: TransactionTemplate,
  group: number,
  groups: number,
  enteredAt: bigint,
): PooledTransaction => {
  const id = transactionId(template.unsigned);
  const chainIndex = chainIndexOf(template.unsigned, groups);
  if (!chainIndex) throw new RangeError(`transaction ${id} has no inputs and so no chain: validate before pooling`);
  const outputs = template.unsigned.fixedOutputs.flatMap((output, index) => {
    if (groupOfLockupScript(output.lockupScript, groups) !== group) return [];
    const reference = referenceOf(output, id, index);
    return [{ reference, referenceId: referenceId(reference), output }];
  });
  return {
    id,
    template,
    chainIndex,
    gasPrice: template.unsigned.gasPrice,
    enteredAt,
    inputs: template.unsigned.inputs.map(({ outputReference }) => referenceId(outputReference)),
    outputs,
  };
};

/** A text that is equal for equal lockup scripts. */
export const lockupKey = (script: AssetLockupScript): LockupKey => {
  switch (script.kind) {
    case 'p2pkh':
      return `0${script.publicKeyHash}`;
    case 'p2mpkh':
      return `1${script.publicKeyHashes.join('')}${script.m}`;
    case 'p2sh':
      return `2${script.scriptHash}`;
  }
};
