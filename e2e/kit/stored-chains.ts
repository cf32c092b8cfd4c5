import { type ChainOfBlocks, type LoadedBlocks, type NodeContracts } from '@shardnode/testing/ledger-oracle';
import { chainIndexOfHash } from '@shardnode/protocol/block';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type ChainRow, type GroupStore, openGroupStore } from '../../apps/group-node/src/store/index.js';
import { type Deployment } from './deployment.js';
import { groups } from './chains.js';

const rowsOf = async (store: GroupStore): Promise<ChainRow[]> => {
  const rows: ChainRow[] = [];
  for await (const page of store.loadChainRows()) rows.push(...page);
  return rows;
};

const bodies = async (store: GroupStore, rows: readonly ChainRow[]): Promise<Uint8Array[]> => {
  const found = await store.blockBodies(rows.map(({ hash }) => hash));
  return rows.map(({ hash }) => found.get(hash)!);
};

interface LoadedGroup {
  readonly chains: readonly ChainOfBlocks[];
  readonly side: readonly Uint8Array[];
  readonly state: { readonly blockHash: string; readonly outputRoot: string; readonly contractRoot: string };
  readonly events: NodeContracts['eventsOfBlock'];
}

const loadGroup = async (store: GroupStore, group: number): Promise<LoadedGroup> => {
  const rows = await rowsOf(store);
  const own = groups.map((to) => {
    const all = rows.filter(({ hash }) => {
      const chain = chainIndexOfHash(hash, groups.length);
      return chain.from === group && chain.to === to;
    });
    const canonical = all.filter(({ rank }) => rank === 0).sort((a, b) => a.height - b.height);
    return { to, canonical, side: all.filter(({ rank }) => rank > 0) };
  });
  const intra = own[group]!.canonical;
  const last = intra.at(-1)!.hash;
  const { outputRoot, contractRoot } = (await store.worldState(last))!;
  const events = await store.eventsOfBlocks(intra.map(({ hash }) => hash));
  return {
    chains: await Promise.all(
      own.map(async ({ to, canonical }) => ({ from: group, to, blocks: await bodies(store, canonical) })),
    ),
    side: (await Promise.all(own.map(({ side }) => bodies(store, side)))).flat(),
    state: { blockHash: last, outputRoot, contractRoot },
    events: new Map(
      [...events].map(([hash, list]) => [hash, list.map((event) => ({ ...event, fields: bytesToHex(event.fields) }))]),
    ),
  };
};

/** What the group-nodes of a stopped network have stored, for the ledger oracle: blocks, states and events. */
export const loadStoredChains = async (deployment: Deployment): Promise<LoadedBlocks> => {
  const databases = await deployment.openDatabases();
  try {
    const loaded: LoadedGroup[] = [];
    for (const group of groups) {
      const database = databases.service(`group_${group}`);
      loaded.push(await loadGroup(await openGroupStore({ database, group, groups: groups.length }), group));
    }
    return {
      chains: loaded.flatMap(({ chains }) => chains),
      side: loaded.flatMap(({ side }) => side),
      storedStates: loaded.map(({ state }) => state),
      contracts: {
        eventsOfContract: new Map(),
        eventsOfBlock: new Map(loaded.flatMap(({ events }) => [...events])),
      },
    };
  } finally {
    await databases.close();
  }
};
