import { ServiceError } from '@shardnode/core/errors';
import { type FeedSource } from '../group-nodes/feed-source.js';
import { type DevelopmentTools } from '../development/development-tools.js';
import { fungible, type Metadata, metadataKindOf, metadataOf } from '../metadata/metadata.js';
import { namingMethods, withDecimals } from '../metadata/self-given-names.js';
import { interfaceOfFields } from '../blocks/interfaces.js';
import { type Found, storeFailures, storeFound } from '../metadata/store-metadata.js';
import { type Waiting, waitingContracts, waitingTokens } from '../metadata/waiting.js';
import { inSnapshot } from '../database/snapshot.js';
import { type BackgroundJob } from '../background/background-job.js';

/** Requests of the job to group-nodes. */
export type ContractSource = Pick<FeedSource, 'contractState' | 'contractCalls' | 'groupOfContract' | 'isSynced'>;

/** Tokens, and contracts, of one run (protocol 08 §4.11). */
const mostItems = 20;
/** Milliseconds for one statement. */
const patience = 10_000;

/** The interface by the event of the creation, else by the fields of the contract; a contract that is gone has none. */
const interfaceOf = async ({ guess, isAlive, address }: Waiting, source: ContractSource): Promise<string> => {
  if (guess !== undefined) return guess;
  return isAlive ? interfaceOfFields((await source.contractState(address)).immFields) : '';
};

/** The name that the contract of a token without a standard gives it; undefined without one. */
const selfGivenName = async (
  { address }: Waiting,
  source: ContractSource,
  names: Pick<DevelopmentTools, 'contractOf'> | undefined,
): Promise<Metadata | undefined> => {
  const state = await source.contractState(address);
  const methods = namingMethods(state, await names?.contractOf(state.codeHash));
  return methods && metadataOf(fungible, withDecimals(await source.contractCalls(address, methods)));
};

const find = async (
  item: Waiting,
  source: ContractSource,
  names: Pick<DevelopmentTools, 'contractOf'> | undefined,
): Promise<Found> => {
  if (source.groupOfContract(item.address) === undefined) {
    return { item, interfaceId: item.guess ?? '', metadata: undefined, isIncomplete: item.guess !== undefined };
  }
  const interfaceId = await interfaceOf(item, source);
  if (item.of === 'token' && interfaceId === '' && item.isAlive)
    return { item, interfaceId, metadata: await selfGivenName(item, source, names), isIncomplete: false };
  const kind = metadataKindOf(item.of, interfaceId);
  if (!kind) return { item, interfaceId, metadata: undefined, isIncomplete: false };
  const methods = Array.from({ length: kind.methods }, (_, methodIndex) => methodIndex);
  const results = item.isAlive ? await source.contractCalls(item.address, methods) : [];
  const metadata = item.isAlive ? metadataOf(kind, results) : undefined;
  return { item, interfaceId, metadata, isIncomplete: metadata === undefined };
};

/**
 * Reads the interfaces and metadata of tokens and contracts that are new, at the group-nodes of their contracts
 * (protocol 08 §4.11). A group-node that fails once is not asked again in the same run.
 * @param names in sources, for tokens that follow no standard
 */
export const metadataJob = (
  source: ContractSource | undefined = undefined,
  names: Pick<DevelopmentTools, 'contractOf'> | undefined = undefined,
): BackgroundJob => ({
  name: 'metadata',
  everyMs: 10_000,
  run: async (context) => {
    const { reading, writing, clock, logger } = context;
    const asked: ContractSource = source ?? context.source;
    const now = clock.now();
    const items = await inSnapshot(
      reading,
      async (snapshot) => [
        ...(await waitingTokens(snapshot, now, mostItems)),
        ...(await waitingContracts(snapshot, now, mostItems)),
      ],
      patience,
    );
    if (items.length === 0) return;
    const found: Found[] = [];
    const failed: Waiting[] = [];
    const silent = new Set<number>();
    const synced = new Set<number>();
    const checkSynced = async (group: number): Promise<void> => {
      if (synced.has(group)) return;
      if (!(await asked.isSynced(group))) throw new Error('the group-node is not synced');
      synced.add(group);
    };
    for (const item of items) {
      const group = asked.groupOfContract(item.address);
      if (group !== undefined && silent.has(group)) {
        failed.push(item);
        continue;
      }
      try {
        if (group !== undefined) await checkSynced(group);
        found.push(await find(item, asked, names));
      } catch (error) {
        failed.push(item);
        // A contract that the index has and the node has not, after a reorganisation: the next one may be there.
        const isOfItem = error instanceof ServiceError && error.kind === 'not-found';
        if (group !== undefined && !isOfItem) silent.add(group);
        logger.debug({ err: error, address: item.address }, 'metadata cannot be read now');
      }
    }
    await writing(async (database) => {
      if (found.length > 0) await storeFound(database, found);
      if (failed.length > 0) await storeFailures(database, failed, now);
    });
  },
});
