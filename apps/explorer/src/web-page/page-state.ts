import { type Brand, brandedField, brandedFields } from '@shardnode/http';
import { type BlockLiteAnswer } from '../answers/blocks.js';
import { type ExplorerSettings } from '../settings.js';
import { type DevelopmentAccount, type DevelopmentTools } from '../development/development-tools.js';
import { firstBlocks, listBlocks } from '../reads/block-reads.js';
import { type Reads } from '../database/reads.js';
import { type PageFacts, readPageFacts } from './page-facts.js';

/** State with which the page starts, so that its first picture needs no second request. */
export interface PageState {
  /** As the first event of a stream (protocol 08 §6). */
  readonly hello: {
    readonly groups: number;
    readonly blockTargetTimeMs: number;
    readonly coinSymbol: string;
    readonly serverTime: number;
  };
  readonly finalityDepth: number;
  readonly exportLimits: ExplorerSettings['exportLimits'];
  /** Newest first; empty when the index does not answer. */
  readonly latestBlocks: readonly BlockLiteAnswer[];
  /** As of a snapshot of the stream, but few: the page knows by them whether the network was started over. */
  readonly firstBlocks: readonly string[];
  /** To what the page would ask for first, by the path: with the names of protocol 08. */
  readonly answers: PageFacts['answers'];
  /** Fields of answers that have another name here, and their names of protocol 08. */
  readonly fields: Readonly<Record<string, string>>;
  /** Where the API of the node is; absent where it is not known. */
  readonly nodeApiUrl?: string;
  /** Absent where the operations of `/development` are. */
  readonly development?: { readonly accounts: readonly DevelopmentAccount[] };
}

/** Parts that the service writes into the page. */
export interface PageStart {
  readonly state: PageState;
  /** For readers without scripts. */
  readonly facts: PageFacts | undefined;
}

const shownBlocks = 100;
const fewFirstBlocks = 2;

/**
 * @param path of the page
 * @param now milliseconds since 1970
 */
export const pageStart = async (
  path: string,
  reads: Reads,
  { groups, blockTargetTimeMs, coinSymbol, finalityDepth, exportLimits, nodeApiUrl }: ExplorerSettings,
  brand: Brand,
  now: number,
  development: DevelopmentTools | undefined,
): Promise<PageStart> => {
  const renamed = brandedFields.map((name) => [brandedField(name, brand), name] as const);
  const { latestBlocks, first, facts } = await reads
    .of(async (snapshot) => ({
      latestBlocks: (await listBlocks(snapshot, { limit: shownBlocks, offset: 0 }, 'newest')).items,
      first: (await firstBlocks(snapshot)).slice(0, fewFirstBlocks),
      facts: await readPageFacts(path, { snapshot, coinSymbol, now }),
    }))
    // The page says what the API answers.
    .catch(() => ({ latestBlocks: [], first: [], facts: undefined }));
  const state: PageState = {
    hello: { groups, blockTargetTimeMs, coinSymbol, serverTime: now },
    finalityDepth,
    exportLimits,
    latestBlocks,
    firstBlocks: first,
    answers: facts?.answers ?? {},
    fields: Object.fromEntries(renamed.filter(([own, name]) => own !== name)),
    ...(nodeApiUrl !== undefined && { nodeApiUrl }),
    ...(development && { development: { accounts: development.accounts } }),
  };
  return { state, facts };
};
