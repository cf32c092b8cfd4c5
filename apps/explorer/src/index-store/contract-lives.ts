import { byteaArray, int4Array, int8Array } from '@shardnode/core/database';
import { type EventRow } from '../blocks/block-rows.js';
import { type IndexTransaction } from './index-transaction.js';

/** The creation of a contract, and its end. */
interface Life {
  readonly contractId: bigint;
  readonly txId: bigint;
  readonly order: number;
  readonly parentId: bigint | undefined;
  readonly interfaceGuess: Uint8Array | undefined;
  readonly isStored: boolean;
  end: { readonly txId: bigint; readonly order: number } | undefined;
}

interface OpenRow {
  readonly contract_id: bigint;
  readonly creation_tx_id: bigint;
  readonly creation_order: number;
}

const storedLife = ({ contract_id, creation_tx_id, creation_order }: OpenRow): Life => ({
  contractId: contract_id,
  txId: creation_tx_id,
  order: creation_order,
  parentId: undefined,
  interfaceGuess: undefined,
  isStored: true,
  end: undefined,
});

/** The living contracts that the events destroy, from the database. */
const loadLives = async (transaction: IndexTransaction, contractIds: readonly bigint[]): Promise<Life[]> => {
  if (contractIds.length === 0) return [];
  const rows = await transaction.run<OpenRow>('openContracts', [int8Array([...new Set(contractIds)])]);
  return rows.map(storedLife);
};

const insertLives = (transaction: IndexTransaction, lives: readonly Life[]): void =>
  transaction.write('insertContracts', [
    int8Array(lives.map(({ contractId }) => contractId)),
    int8Array(lives.map(({ txId }) => txId)),
    int4Array(lives.map(({ order }) => order)),
    int8Array(lives.map(({ parentId }) => parentId)),
    byteaArray(lives.map(({ interfaceGuess }) => interfaceGuess)),
    int8Array(lives.map(({ end }) => end?.txId)),
    int4Array(lives.map(({ end }) => end?.order)),
  ]);

const endLives = (transaction: IndexTransaction, lives: readonly Life[]): void =>
  transaction.write('destroyContracts', [
    int8Array(lives.map(({ contractId }) => contractId)),
    int8Array(lives.map(({ txId }) => txId)),
    int4Array(lives.map(({ order }) => order)),
    int8Array(lives.map(({ end }) => end!.txId)),
    int4Array(lives.map(({ end }) => end!.order)),
  ]);

/**
 * Creations and destructions of contracts, from the system events in order (protocol 08 §4.6). A destruction ends the
 * living creation of its contract; without one it changes nothing.
 * @param numberOf the `address_id` of an address
 */
export const writeContractLives = async (
  transaction: IndexTransaction,
  events: readonly EventRow[],
  numberOf: (address: string) => bigint,
): Promise<void> => {
  const steps = events.flatMap(({ txId, order, step }) => (step ? [{ txId, order, step }] : []));
  if (steps.length === 0) return;
  const destroyed = steps.filter(({ step }) => step.kind === 'destroyed');
  const stored = await loadLives(
    transaction,
    destroyed.map(({ step }) => numberOf(step.contract)),
  );
  const living = new Map(stored.map((life) => [life.contractId, life]));
  const changed = new Set<Life>();
  for (const { txId, order, step } of steps) {
    const contractId = numberOf(step.contract);
    if (step.kind === 'created') {
      const { parent, interfaceGuess } = step;
      const parentId = parent === undefined ? undefined : numberOf(parent);
      const life: Life = { contractId, txId, order, parentId, interfaceGuess, isStored: false, end: undefined };
      living.set(contractId, life);
      changed.add(life);
      continue;
    }
    const life = living.get(contractId);
    if (!life) continue;
    life.end = { txId, order };
    living.delete(contractId);
    changed.add(life);
  }
  const lives = [...changed];
  const created = lives.filter(({ isStored }) => !isStored);
  const ended = lives.filter(({ isStored }) => isStored);
  if (created.length > 0) insertLives(transaction, created);
  if (ended.length > 0) endLives(transaction, ended);
};

/** Takes back what the events of blocks did, before the events themselves are deleted (protocol 08 §4.7 step 1). */
export const undoContractLives = (
  transaction: IndexTransaction,
  blockIds: readonly bigint[],
  txIds: readonly bigint[],
): void => {
  transaction.write('deleteContracts', [int8Array(blockIds)]);
  transaction.write('restoreContracts', [int8Array(txIds)]);
};
