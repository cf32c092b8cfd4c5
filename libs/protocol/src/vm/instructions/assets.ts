import { type AssetLockupScript, type Hash, type LockupScript, zeroHash } from '../../primitives/index.js';
import { type BalanceList } from '../balance-list.js';
import { outputsOfEntry } from '../balance-outputs.js';
import { type BalanceState } from '../balance-state.js';
import { checkPayee } from '../caller-trace.js';
import { currentContract, sessionOf } from '../contract-session.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { idOfBytes } from '../id-bytes.js';
import { type Machine } from '../machine.js';

/** The token id of COIN (protocol 05 §1). */
const coinTokenId = zeroHash;
const timeLimit = 1n << 63n;

const balancesOf = ({ frame }: Machine): BalanceState => frame.balances ?? fail('NoBalanceAvailable');

const tokenIdOf = (bytes: Uint8Array): Hash => idOfBytes(bytes) ?? fail('InvalidTokenId');

const popTokenId = (machine: Machine): Hash => tokenIdOf(machine.popBytes());

/** Adds an amount of COIN or of a token. */
const addAmount = (list: BalanceList, owner: LockupScript, tokenId: Hash, amount: bigint): boolean =>
  tokenId === coinTokenId ? list.addCoin(owner, amount) : list.addToken(owner, tokenId, amount);

/** The owner's amount of COIN or of a token; undefined without an entry. */
const amountIn = (list: BalanceList, owner: LockupScript, tokenId: Hash): bigint | undefined => {
  const entry = list.entryOf(owner);
  return tokenId === coinTokenId ? entry?.coin : entry?.tokens.get(tokenId);
};

const failForWantOf = (list: BalanceList, owner: LockupScript, tokenId: Hash, amount: bigint): never =>
  fail('NotEnoughApprovedBalance', owner, tokenId, amount, amountIn(list, owner, tokenId) ?? 0n);

/** Takes an amount, which may be 0, from the frame's remaining balances. The entry must exist (protocol 05 §6.11). */
const takeRemaining = ({ remaining }: BalanceState, owner: LockupScript, tokenId: Hash, amount: bigint): void => {
  const taken =
    tokenId === coinTokenId ? remaining.subtractCoin(owner, amount) : remaining.subtractToken(owner, tokenId, amount);
  if (!taken) failForWantOf(remaining, owner, tokenId, amount);
};

const approve = (machine: Machine, tokenId: Hash, amount: bigint): void => {
  const owner = machine.popAddress();
  const balances = balancesOf(machine);
  takeRemaining(balances, owner, tokenId, amount);
  if (!addAmount(balances.approved, owner, tokenId, amount)) {
    failForWantOf(balances.remaining, owner, tokenId, amount);
  }
};

const pushRemaining = (machine: Machine, owner: LockupScript, tokenId: Hash): void => {
  const amount = amountIn(balancesOf(machine).remaining, owner, tokenId);
  if (amount !== undefined) machine.pushU256(amount);
  else if (tokenId === coinTokenId) fail('NoCoinBalanceForTheAddress', owner);
  else fail('NoTokenBalanceForTheAddress', tokenId, owner);
};

/** Differences of the six transfers: the side of the current contract, and the kind of asset. */
interface TransferKind {
  readonly of: 'COIN' | 'a token';
  readonly from: 'stack' | 'self';
  readonly to: 'stack' | 'self';
}

const selfAddress = (machine: Machine): LockupScript => ({ kind: 'p2c', contractId: currentContract(machine).id });

const popPayee = (machine: Machine): LockupScript => {
  const payee = machine.popAddress();
  checkPayee(machine, payee);
  return payee;
};

const transfer =
  (kind: TransferKind): Execute =>
  (machine) => {
    const amount = machine.popU256();
    const tokenId = kind.of === 'COIN' ? coinTokenId : popTokenId(machine);
    const to = kind.to === 'self' ? selfAddress(machine) : popPayee(machine);
    const from = kind.from === 'self' ? selfAddress(machine) : machine.popAddress();
    takeRemaining(balancesOf(machine), from, tokenId, amount);
    if (!addAmount(sessionOf(machine).outputBalances, to, tokenId, amount)) fail('BalanceOverflow');
  };

const burnToken = (machine: Machine): void => {
  const amount = machine.popU256();
  const tokenId = popTokenId(machine);
  const from = machine.popAddress();
  const balances = balancesOf(machine);
  if (tokenId === coinTokenId) fail('BurningCoinNotAllowed');
  takeRemaining(balances, from, tokenId, amount);
};

const popLockTime = (machine: Machine): bigint => {
  const lockTime = machine.popU256();
  if (lockTime >= timeLimit) fail('LockTimeOverflow');
  const { timestamp } = machine.block;
  return lockTime > timestamp ? lockTime : fail('InvalidLockTime', lockTime, timestamp);
};

/** An address from the stack that is not that of a contract. */
export const popAssetAddress = (machine: Machine): AssetLockupScript => {
  const lockupScript = machine.popAddress();
  return lockupScript.kind === 'p2c' ? fail('InvalidAssetAddress', lockupScript) : lockupScript;
};

const lockApprovedAssets = (machine: Machine): void => {
  const lockTime = popLockTime(machine);
  const owner = popAssetAddress(machine);
  const entry = balancesOf(machine).approved.takeEntry(owner) ?? fail('NoAssetsApproved', owner);
  for (const output of outputsOfEntry(entry, lockTime)) sessionOf(machine).appendOutput(output);
};

/** protocol 05 §6.11 */
export const assetInstructions: InstructionImplementations = {
  ApproveCoin: (machine) => approve(machine, coinTokenId, machine.popU256()),
  ApproveToken: (machine) => {
    const amount = machine.popU256();
    approve(machine, popTokenId(machine), amount);
  },
  CoinRemaining: (machine) => pushRemaining(machine, machine.popAddress(), coinTokenId),
  TokenRemaining: (machine) => {
    const tokenId = machine.popBytes();
    const owner = machine.popAddress();
    pushRemaining(machine, owner, tokenIdOf(tokenId));
  },
  IsPaying: (machine) => {
    const owner = machine.popAddress();
    machine.pushBool(balancesOf(machine).remaining.entryOf(owner) !== undefined);
  },
  TransferCoin: transfer({ of: 'COIN', from: 'stack', to: 'stack' }),
  TransferCoinFromSelf: transfer({ of: 'COIN', from: 'self', to: 'stack' }),
  TransferCoinToSelf: transfer({ of: 'COIN', from: 'stack', to: 'self' }),
  TransferToken: transfer({ of: 'a token', from: 'stack', to: 'stack' }),
  TransferTokenFromSelf: transfer({ of: 'a token', from: 'self', to: 'stack' }),
  TransferTokenToSelf: transfer({ of: 'a token', from: 'stack', to: 'self' }),
  BurnToken: burnToken,
  LockApprovedAssets: lockApprovedAssets,
};
