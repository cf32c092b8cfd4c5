import { pageAt, type PageName } from '@shardnode/http/page-paths';
import { parseAddress } from '@shardnode/protocol/address';
import { plainDecimal } from '@shardnode/protocol/primitives';
import { addressInfo, addressOverview } from '../reads/address-reads.js';
import { findBlock } from '../reads/block-reads.js';
import { findPending } from '../reads/pending-reads.js';
import { type Snapshot } from '../database/snapshot.js';
import { findTransaction } from '../reads/transaction-reads.js';

/** The subject of a page. */
export interface PageFacts {
  /** Content of the page without its script. */
  readonly title: string;
  /** Names and values. */
  readonly facts: readonly (readonly [string, string])[];
  /** Answers of the API, by the path that the script would request. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Sources of the facts. */
export interface FactSource {
  readonly snapshot: Snapshot;
  readonly coinSymbol: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type ReadFacts = (subject: string, source: FactSource) => Promise<PageFacts | undefined>;

const time = (milliseconds: number | string): string => new Date(Number(milliseconds)).toISOString();
const chain = ({ chainFrom, chainTo }: { readonly chainFrom: number; readonly chainTo: number }): string =>
  `${chainFrom} → ${chainTo}`;

const ofBlock: ReadFacts = async (hash, { snapshot }) => {
  const block = await findBlock(snapshot, hash);
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
      answers: { [`blocks/${hash}`]: block },
    }
  );
};

const ofTransaction: ReadFacts = async (hash, { snapshot, coinSymbol }) => {
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
    answers: { [`transactions/${hash}`]: { type: accepted ? 'Accepted' : 'Pending', ...found } },
  };
};

const ofAddress: ReadFacts = async (address, { snapshot, coinSymbol, now }) => {
  const parsed = parseAddress(address);
  if (!parsed) return undefined;
  // Of contracts the page asks something else.
  const overview = parsed.kind === 'p2c' ? undefined : await addressOverview(snapshot, address, now);
  const { balance, lockedBalance, txNumber } = overview?.info ?? (await addressInfo(snapshot, address, now));
  return {
    title: 'Address',
    facts: [
      ['Address', address],
      ['Balance', `${plainDecimal(BigInt(balance))} ${coinSymbol}`],
      ['Locked', `${plainDecimal(BigInt(lockedBalance))} ${coinSymbol}`],
      ['Transactions', String(txNumber)],
    ],
    answers: overview === undefined ? {} : { [`addresses/${address}/overview`]: overview },
  };
};

const readers: Partial<Record<PageName, ReadFacts>> = {
  block: ofBlock,
  transaction: ofTransaction,
  address: ofAddress,
  contract: ofAddress,
};

/** Facts of the page at a path; undefined: it has none, or its subject is unknown. */
export const readPageFacts = async (path: string, source: FactSource): Promise<PageFacts | undefined> => {
  const place = pageAt(path);
  return place && readers[place.page]?.(place.subject, source);
};
