import { contractIdOf } from '../address/index.js';
import { type Hash, isU256, zeroHash } from '../primitives/index.js';
import { type Val } from '../script/index.js';
import { type ContractCode, initialStateHashOf } from '../state/index.js';
import { type ContractOutput, referenceOf } from '../transaction/index.js';
import { type BalanceEntry, newBalanceEntry, tokensInOutputOrder } from './balance-list.js';
import { checkFieldCount } from './contract-code-checks.js';
import { type ContractSession, sessionOf } from './contract-session.js';
import { fail } from './failure.js';
import { type Machine } from './machine.js';
import { logCreation } from './system-events.js';
import { tokensInTableOrder } from './token-table-order.js';

/** A contract before it exists. */
export interface NewContract {
  readonly id: Hash;
  /** Of a sub-contract. */
  readonly parentId: Hash | undefined;
  readonly code: ContractCode;
  readonly immutableFields: readonly Val[];
  readonly mutableFields: readonly Val[];
}

/** The id of a contract that is created without a path (protocol 05 §10.2). */
export const nextContractId = (machine: Machine): Hash =>
  contractIdOf(machine.transaction.id, sessionOf(machine).nextOutputIndex, machine.block.group);

const added = (sum: bigint, amount: bigint): bigint | undefined => (isU256(sum + amount) ? sum + amount : undefined);

/** Adds an entry until an amount would overflow; that amount and the rest of the entry is lost (protocol 05 §18 item 9). */
const addUntilOverflow = (sum: BalanceEntry, entry: BalanceEntry): void => {
  const coin = added(sum.coin, entry.coin);
  if (coin === undefined) return;
  sum.coin = coin;
  for (const { id, amount } of tokensInTableOrder(entry)) {
    const total = added(sum.tokens.get(id) ?? 0n, amount);
    if (total === undefined) return;
    sum.tokens.set(id, total);
  }
};

/**
 * Takes all assets that the creator has approved, of any owner, as initial assets of the contract (protocol 05 §10.4
 * step 8).
 */
export const takeInitialAssets = ({ frame }: Machine, contractId: Hash): BalanceEntry => {
  const { approved } = frame.balances ?? fail('NoBalanceAvailable');
  if (approved.isEmpty) fail('InvalidBalances');
  const assets = newBalanceEntry({ kind: 'p2c', contractId }, 0n, []);
  for (const entry of approved.takeAll().entries()) addUntilOverflow(assets, entry);
  return assets;
};

/** Adds issued tokens to the initial assets of the contract; an overflow is ignored (protocol 05 §18 item 9). */
export const addIssued = (assets: BalanceEntry, tokenId: Hash, amount: bigint): void => {
  const total = added(assets.tokens.get(tokenId) ?? 0n, amount);
  if (total !== undefined) assets.tokens.set(tokenId, total);
};

const write = (session: ContractSession, transactionId: Hash, contract: NewContract, output: ContractOutput): void => {
  const { layer } = session;
  const { id, code, immutableFields, mutableFields } = contract;
  const reference = referenceOf(output, transactionId, session.nextOutputIndex);
  layer.putCode(code);
  const immutableStateHash = layer.putImmutableState({
    codeHash: code.hash,
    initialStateHash: initialStateHashOf(code.hash, immutableFields, mutableFields),
    immutableFields,
  });
  layer.putRecord(id, { mutableFields, outputReference: reference, immutableStateHash });
  layer.putOutput(reference, output);
  session.appendFreeOutput(output);
  session.pool.block(id);
};

/**
 * Adds the contract to the state, with its first output and its event (protocol 05 §10.4 steps 10 to 14). `exists`:
 * whether the state has a contract with this id, read before the creation changed anything.
 */
export const createContract = (
  machine: Machine,
  contract: NewContract,
  assets: BalanceEntry,
  exists: boolean,
): void => {
  const session = sessionOf(machine);
  const { id, parentId, code, immutableFields, mutableFields } = contract;
  if (exists) fail('ContractAlreadyExists', id);
  checkFieldCount(code.contract, [...immutableFields, ...mutableFields]);
  const output: ContractOutput = {
    kind: 'contract',
    amount: assets.coin,
    contractId: id,
    tokens: tokensInOutputOrder(assets.tokens),
  };
  write(session, machine.transaction.id, contract, output);
  logCreation(machine, id, parentId, immutableFields);
};

/** The all-zero id is the placeholder's. */
export const checkNewId = (id: Hash): void => {
  if (id === zeroHash) fail('ZeroContractId');
};
