import { blake2bTwice } from '@shardnode/protocol/crypto';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { addressOf } from '@shardnode/protocol/address';
import { valueOfTarget } from './emission-table.js';
import { type KnownBlocks } from './known-blocks.js';
import { blockText, groupOfHint, hintOf, type LedgerBlock, rootOfLeaves } from './ledger-block.js';
import { chainNumber, genesisTimestamp, launchTimestamp, type OracleNetwork } from './network.js';
import { type Problems } from './problems.js';

const zero = '0'.repeat(64);

/** The chain that dependency number `slot` of a block of group `from` must be on (protocol 03 §4.1). */
const chainOfSlot = (slot: number, from: number, groups: number): number => {
  if (slot >= groups - 1) return from * groups + slot - (groups - 1);
  const group = slot < from ? slot : slot + 1;
  return group * groups + group;
};

const checkDependencies = (block: LedgerBlock, known: KnownBlocks, problems: Problems): void => {
  const { groups } = known;
  block.deps.forEach((hash, slot) => {
    const dep = known.get(hash);
    if (!dep) {
      problems.add('DependencyUnknown', hash, `${blockText(block)} depends on ${hash}, which nobody gave`);
    } else if (chainNumber(dep, groups) !== chainOfSlot(slot, block.from, groups)) {
      const text = `${blockText(block)} has ${blockText(dep)} as dependency ${slot}`;
      problems.add('DependencyOnOtherChain', `${block.hash} ${slot}`, text);
    }
  });
};

/** Checks a header against itself, its parent and its transactions (protocol 03 §5, §6.2 step 6). */
export const checkBlockAlone = (block: LedgerBlock, known: KnownBlocks, problems: Problems): void => {
  const root = rootOfLeaves(block.transactions.map(({ leaf }) => leaf));
  if (root !== block.txsHash) {
    const text = `${blockText(block)} names the transactions ${block.txsHash}, they are ${root}`;
    problems.add('TransactionsRootDiffers', block.hash, text);
  }
  if (block.isGenesis) return;
  checkDependencies(block, known, problems);
  if (BigInt(`0x${block.hash}`) > valueOfTarget(block.target)) {
    problems.add('WorkMissing', block.hash, `${blockText(block)} is above its target`);
  }
  const parent = known.parent(block);
  if (block.timestamp < launchTimestamp || (parent && block.timestamp <= parent.timestamp)) {
    const text = `${blockText(block)} of ${block.timestamp} is not newer than its parent of ${parent?.timestamp}`;
    problems.add('TimestampNotIncreasing', block.hash, text);
  }
};

/** Each canonical block is the child of the one before it; the first is genesis. */
export const checkLinks = (known: KnownBlocks, problems: Problems): void => {
  for (let chain = 0; chain < known.groups * known.groups; chain++) {
    const [from, to] = [Math.floor(chain / known.groups), chain % known.groups];
    known.list(from, to).forEach((block, place, list) => {
      const before = list[place - 1];
      if (before ? known.parent(block) === before && !block.isGenesis : block.isGenesis) return;
      const expected = before ? `a child of ${before.hash}` : 'genesis';
      problems.add(
        'LinkBroken',
        block.hash,
        `place ${place} of chain (${from},${to}) has ${block.hash}, not ${expected}`,
      );
    });
  }
};

const allocationText = (address: string, amount: bigint, lockTime: bigint, data: string): string =>
  `${address} ${amount} ${lockTime} ${data}`;

/** The outputs that a genesis block must make (protocol 03 §3). */
const expectedAllocations = (network: OracleNetwork, group: number): string[] => {
  const proof = bytesToHex(blake2bTwice(new TextEncoder().encode(network.preMineProof.join(''))));
  return network.allocations
    .filter(({ lockupScript }) => groupOfHint(hintOf(lockupScript), network.groups) === group)
    .map(({ lockupScript, amount, lockDuration }, i) =>
      allocationText(addressOf(lockupScript), amount, launchTimestamp + lockDuration, i === 0 ? proof : ''),
    );
};

/** A genesis block against the settings: dependencies, time and allocations (protocol 03 §3). */
export const checkGenesis = (block: LedgerBlock, network: OracleNetwork, problems: Problems): void => {
  const intra = block.from === block.to;
  const outputs = block.transactions.flatMap(({ creates }) => creates);
  const texts = outputs.map(({ address, output }) =>
    output.kind === 'asset'
      ? allocationText(address, output.amount, output.lockTime, bytesToHex(output.additionalData))
      : `contract ${address}`,
  );
  const expected = intra ? expectedAllocations(network, block.from) : [];
  const sound =
    block.timestamp === genesisTimestamp &&
    block.depStateHash === zero &&
    block.deps.every((hash) => hash === zero) &&
    block.transactions.length === (intra ? 1 : 0) &&
    block.transactions.every(({ spends }) => spends.length === 0) &&
    texts.join() === expected.join();
  if (sound) return;
  const text = `${blockText(block)} makes [${texts.join(', ')}], the settings say [${expected.join(', ')}]`;
  problems.add('GenesisDiffers', block.hash, text);
};
