import { subContractIdOf } from '../../address/index.js';
import { type AssetLockupScript, type Hash } from '../../primitives/index.js';
import { ContractCode } from '../../state/index.js';
import { popCodeOfCreation, popFields, chargeFields } from '../contract-code-checks.js';
import {
  addIssued,
  checkNewId,
  createContract,
  type NewContract,
  nextContractId,
  takeInitialAssets,
} from '../contract-creation.js';
import { currentContract, sessionOf } from '../contract-session.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { gasOfSubContractId } from '../gas.js';
import { type Machine } from '../machine.js';
import { popAssetAddress } from './assets.js';

/** Differences of the twelve creations (protocol 05 §10.4). */
interface CreationKind {
  /** From the stack, or copied from an existing contract. */
  readonly code: 'given' | 'copied';
  readonly place: 'free' | 'below its creator';
  /** Whether a token is issued, and to whom. */
  readonly token: 'none' | 'to the contract' | 'to an address';
}

/** An issued token: its amount in smallest units, and the owner if it is not the contract. */
interface Issue {
  readonly amount: bigint;
  readonly owner: AssetLockupScript | undefined;
}

const popIssue = (machine: Machine, token: CreationKind['token']): Issue | undefined => {
  if (token === 'none') return undefined;
  const owner = token === 'to an address' ? popAssetAddress(machine) : undefined;
  return { amount: machine.popU256(), owner };
};

const popCode = (machine: Machine, code: CreationKind['code']): ContractCode =>
  code === 'given'
    ? ContractCode.of(popCodeOfCreation(machine))
    : sessionOf(machine).load(machine.popContractId()).code;

const newId = (machine: Machine, place: CreationKind['place']): Pick<NewContract, 'id' | 'parentId'> => {
  if (place === 'free') return { id: nextContractId(machine), parentId: undefined };
  const parentId = currentContract(machine).id;
  const path = machine.popBytes();
  machine.charge(gasOfSubContractId(path.length));
  return { id: subContractIdOf(parentId, path, machine.block.group), parentId };
};

/**
 * Whether the state has the contract. A StateMiss undoes the load of the copied contract, because the creation starts
 * again.
 */
const existsInState = (machine: Machine, id: Hash, undoLoad: () => void): boolean => {
  try {
    return sessionOf(machine).layer.exists(id);
  } catch (error) {
    undoLoad();
    throw error;
  }
};

const create =
  (kind: CreationKind): Execute =>
  (machine) => {
    const issue = popIssue(machine, kind.token);
    const mutableFields = popFields(machine);
    const immutableFields = popFields(machine);
    chargeFields(machine, [...immutableFields, ...mutableFields]);
    const undoLoad = sessionOf(machine).pool.mark();
    const code = popCode(machine, kind.code);
    const { id, parentId } = newId(machine, kind.place);
    checkNewId(id);
    const exists = existsInState(machine, id, undoLoad);
    const assets = takeInitialAssets(machine, id);
    // An issue that would overflow its owner's balance is omitted (protocol 05 §18 item 9).
    if (issue?.owner) sessionOf(machine).outputBalances.addToken(issue.owner, id, issue.amount);
    else if (issue) addIssued(assets, id, issue.amount);
    createContract(machine, { id, parentId, code, immutableFields, mutableFields }, assets, exists);
    machine.pushId(id);
  };

const kinds: Readonly<Record<string, CreationKind>> = {
  CreateContract: { code: 'given', place: 'free', token: 'none' },
  CreateContractWithToken: { code: 'given', place: 'free', token: 'to the contract' },
  CreateContractAndTransferToken: { code: 'given', place: 'free', token: 'to an address' },
  CopyCreateContract: { code: 'copied', place: 'free', token: 'none' },
  CopyCreateContractWithToken: { code: 'copied', place: 'free', token: 'to the contract' },
  CopyCreateContractAndTransferToken: { code: 'copied', place: 'free', token: 'to an address' },
  CreateSubContract: { code: 'given', place: 'below its creator', token: 'none' },
  CreateSubContractWithToken: { code: 'given', place: 'below its creator', token: 'to the contract' },
  CreateSubContractAndTransferToken: { code: 'given', place: 'below its creator', token: 'to an address' },
  CopyCreateSubContract: { code: 'copied', place: 'below its creator', token: 'none' },
  CopyCreateSubContractWithToken: { code: 'copied', place: 'below its creator', token: 'to the contract' },
  CopyCreateSubContractAndTransferToken: { code: 'copied', place: 'below its creator', token: 'to an address' },
};

/** protocol 05 §10.4 */
export const creationInstructions: InstructionImplementations = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, create(kind)]),
);
