import { parseAddress } from '@shardnode/protocol/address';
import { plainDecimal } from '@shardnode/protocol/primitives';
import { addressInfo } from '../reads/address-reads.js';
import { findBlock } from '../reads/block-reads.js';
import { findPending } from '../reads/pending-reads.js';
import { type Snapshot } from '../reads/snapshot.js';
import { findTransaction } from '../reads/transaction-reads.js';

/** What a page says without its script. */
export interface PageFacts {
  readonly title: string;
  /** Names and values. */
  readonly facts: readonly (readonly [string, string])[];
}

/** What facts are read from. */
export interface FactSource {
  readonly snapshot: Snapshot;
  readonly coinSymbol: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type ReadFacts = (subject: string, source: FactSource) => Promise<PageFacts | undefined>;

const hashForm = /^[0-9a-f]{64}$/;
const time = (milliseconds: number | string): string => new Date(Number(milliseconds)).toISOString();
const chain = ({ chainFrom, chainTo }: { readonly chainFrom: number; readonly chainTo: number }): string =>
  `${chainFrom} → ${chainTo}`;

const ofBlock: ReadFacts = async (hash, { snapshot }) => {
  const block = hashForm.test(hash) ? await findBlock(snapshot, hash) : undefined;
  return (
    block && {
      title: `Block ${block.height}`,
      facts: [
        ['Hash', hash],
        ['State', block.mainChain ? 'Main chain' : 'Orphaned'],
        ['Chain', chain(block)],
        ['Height', String(block.height)],
        ['Time', time(block.timestamp)],
        ['Transactions', String(block.txNumber)],
        ['Parent', block.parent ?? 'none'],
      ],
    }
  );
};

const ofTransaction: ReadFacts = async (hash, { snapshot, coinSymbol }) => {
  if (!hashForm.test(hash)) return undefined;
  const accepted = await findTransaction(snapshot, hash);
  const found = accepted ?? (await findPending(snapshot, hash));
  if (!found) return undefined;
  const fee = BigInt(found.gasAmount) * BigInt(found.gasPrice);
  const state = accepted?.scriptExecutionOk === false ? 'Script failed' : 'Confirmed';
  return {
    title: 'Transaction',
    facts: [
      ['Id', hash],
      ['State', accepted ? state : 'Pending'],
      ['Chain', chain(found)],
      ...(accepted
        ? ([
            ['Block', accepted.blockHash],
            ['Height', String(accepted.blockHeight)],
            ['Time', time(accepted.timestamp)],
          ] as const)
        : []),
      ['Fee', `${plainDecimal(fee)} ${coinSymbol}`],
      ['Inputs', String(found.inputs.length)],
      ['Outputs', String(found.outputs.length)],
    ],
  };
};

const ofAddress: ReadFacts = async (address, { snapshot, coinSymbol, now }) => {
  if (!parseAddress(address)) return undefined;
  const { balance, lockedBalance, txNumber } = await addressInfo(snapshot, address, now);
  return {
    title: 'Address',
    facts: [
      ['Address', address],
      ['Balance', `${plainDecimal(BigInt(balance))} ${coinSymbol}`],
      ['Locked', `${plainDecimal(BigInt(lockedBalance))} ${coinSymbol}`],
      ['Transactions', String(txNumber)],
    ],
  };
};

/** By the first part of the path of the page. */
const readers: ReadonlyMap<string, ReadFacts> = new Map([
  ['block', ofBlock],
  ['tx', ofTransaction],
  ['address', ofAddress],
]);

/** Facts of the page at a path; undefined: it has none, or its subject is unknown. */
export const readPageFacts = async (path: string, source: FactSource): Promise<PageFacts | undefined> => {
  const [, kind = '', subject, ...more] = path.split('/');
  return subject === undefined || more.length > 0 ? undefined : readers.get(kind)?.(subject, source);
};
