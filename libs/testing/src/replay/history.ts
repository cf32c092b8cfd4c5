import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Block, decodeBlock } from '@shardnode/protocol/block';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { type NetworkSettings, parseGenesisFile } from '@shardnode/protocol/network';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type Val } from '@shardnode/protocol/script';

export interface RecordedState {
  readonly outputs: Hash;
  readonly contracts: Hash;
  readonly code: Hash;
  readonly stateHash: Hash;
}

/** A value of the machine, numbers as digits, bytes as hexadecimal, addresses as Base58. */
export interface RecordedVal {
  readonly type: Val['type'];
  readonly value: string | boolean;
}

interface RecordedTransaction {
  readonly txId: Hash;
  readonly scriptExecutionOk: boolean;
  /** Not of the coinbase. */
  readonly gasUsed?: number;
}

interface RecordedEvent {
  /** Address. */
  readonly contract: string;
  /** Number of the contract's record, one for each block with events of it, and the place in there. */
  readonly counter: number;
  readonly offset: number;
  readonly txId: Hash;
  readonly index: number;
  readonly fields: readonly RecordedVal[];
}

export interface RecordedContract {
  readonly contractId: Hash;
  readonly codeHash: Hash;
  readonly initialStateHash: Hash;
  readonly bytecode: string;
  readonly immFields: readonly RecordedVal[];
  readonly mutFields: readonly RecordedVal[];
  readonly contractOutputRef: string;
  readonly attoCoinAmount: string;
  readonly tokens: readonly { readonly id: Hash; readonly amount: string }[];
  /** Number of records with events. */
  readonly eventCount: number;
}

/** One line of `blocks.jsonl`: a block, and the state right after its import. */
export interface RecordedBlock {
  readonly chain: readonly [number, number];
  readonly height: number;
  readonly hash: Hash;
  readonly weight: string;
  readonly canonical: boolean;
  readonly canonicalWhenAdded: boolean;
  /** Intra-group blocks only. */
  readonly worldState?: RecordedState;
  readonly bestDeps: readonly (readonly Hash[])[];
  /** Coinbase last; only in histories with contracts. */
  readonly txs?: readonly RecordedTransaction[];
  readonly events?: readonly RecordedEvent[];
  readonly raw: string;
}

export interface RecordedChain {
  readonly chain: readonly [number, number];
  readonly maxHeight: number;
  readonly currentHeight: number;
  readonly currentHeightRequired?: number;
  readonly tips: readonly Hash[];
  readonly hashesWithSeveral: readonly { readonly height: number; readonly hashes: readonly Hash[] }[];
}

export interface RecordedGroup {
  readonly group: number;
  readonly bestDeps: readonly Hash[];
  readonly stateOf: Hash;
  readonly outputsRoot: Hash;
  readonly contractsRoot: Hash;
  readonly codeRoot: Hash;
  readonly stateHash: Hash;
  readonly assetOutputs: number;
  readonly contractOutputs: number;
  /** Only in histories with contracts. */
  readonly contracts?: readonly RecordedContract[];
}

export interface RecordedAddress {
  readonly address: string;
  readonly utxos: number;
  readonly attoCoinAmount: string;
  readonly tokens: readonly { readonly id: Hash; readonly amount: string }[];
  readonly refs: readonly string[];
}

export interface FinalState {
  readonly blocks: number;
  readonly chains: readonly RecordedChain[];
  readonly groups: readonly RecordedGroup[];
  readonly addresses: readonly RecordedAddress[];
}

interface RecordedGenesisBlock {
  readonly chain: readonly [number, number];
  readonly hash: Hash;
  readonly raw: string;
  readonly worldState?: RecordedState;
}

/** A block to validate on top of the history; `required` is our verdict if it differs from the measured one. */
interface JudgedBlock {
  readonly name: string;
  /** Number of blocks of the history before it. */
  readonly after: number;
  /** Blocks to import first. */
  readonly setup?: readonly string[];
  readonly block?: string;
  readonly verdict?: string;
  readonly required?: string;
}

/** A transaction: in its own block, and as a template for the mempool. */
export interface JudgedTransaction extends JudgedBlock {
  readonly blockVerdict?: string;
  readonly template?: string;
  readonly mempool?: string;
  /** The refusal with the texts of failed scripts, if these are deterministic. */
  readonly mempoolText?: string;
}

export interface History {
  readonly folder: string;
  readonly settings: NetworkSettings;
  readonly genesis: readonly RecordedGenesisBlock[];
  readonly blocks: readonly RecordedBlock[];
  readonly final: FinalState;
  /** Bad and control entries of all files of the folder, each with the file that holds it. */
  readonly judged: readonly { readonly file: string; readonly entries: readonly JudgedTransaction[] }[];
}

/** The text of a file of the folder, plain or gzipped; undefined if it is missing. */
const readText = (folder: string, name: string): string | undefined => {
  const plain = join(folder, name);
  if (existsSync(plain)) return readFileSync(plain, 'utf8');
  return existsSync(`${plain}.gz`) ? gunzipSync(readFileSync(`${plain}.gz`)).toString('utf8') : undefined;
};

const readJson = <T>(folder: string, name: string): T => {
  const text = readText(folder, name);
  if (text === undefined) throw new Error(`no ${name} in ${folder}`);
  return JSON.parse(text) as T;
};

/** A setup entry is the block itself, or an object that holds it. */
const setupBytes = (setup: readonly (string | { readonly block: string })[] | undefined): string[] | undefined =>
  setup?.map((block) => (typeof block === 'string' ? block : block.block));

const judgedFiles = ['rejected-blocks.json', 'rejected-transactions.json', 'check-order.json'];

interface JudgedFile extends Partial<Record<'entries' | 'blocks' | 'transactions', readonly JudgedTransaction[]>> {
  /** Only in files beside the folder: the history that they belong to. */
  readonly history?: string;
}

/** A file of judged entries in the folder, or beside it with the folder's name in it. */
const readJudgedFile = (folder: string, file: string): JudgedFile | undefined => {
  const own = readText(folder, file);
  if (own !== undefined) return JSON.parse(own) as JudgedFile;
  const text = readText(dirname(folder), file);
  const beside = text === undefined ? undefined : (JSON.parse(text) as JudgedFile);
  return beside?.history?.startsWith(`${basename(folder)}/`) ? beside : undefined;
};

const readJudged = (folder: string): History['judged'] =>
  judgedFiles.flatMap((file) => {
    const parsed = readJudgedFile(folder, file);
    if (!parsed) return [];
    const lists = [parsed.entries, parsed.blocks, parsed.transactions].flatMap((list) => list ?? []);
    return [{ file, entries: lists.map((entry) => ({ ...entry, setup: setupBytes(entry.setup) })) }];
  });

/** The settings of the network of a history, as JSON text for a node that reads a genesis file. */
export const readGenesisText = (folder: string): string => {
  const text = readText(folder, 'genesis.json');
  if (text === undefined) throw new Error(`no genesis.json in ${folder}`);
  return text;
};

/** Reads the folder of a history: `genesis.json`, `blocks.jsonl`, `final-state.json` and the judged entries. */
export const readHistory = (folder: string): History => {
  const genesis = readJson<{ readonly genesisBlocks: readonly RecordedGenesisBlock[] }>(folder, 'genesis.json');
  const lines = readText(folder, 'blocks.jsonl');
  if (lines === undefined) throw new Error(`no blocks.jsonl in ${folder}`);
  return {
    folder,
    settings: parseGenesisFile(genesis),
    genesis: genesis.genesisBlocks,
    blocks: lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as RecordedBlock),
    final: readJson<FinalState>(folder, 'final-state.json'),
    judged: readJudged(folder),
  };
};

export const chainOf = ({ chain: [from, to] }: { readonly chain: readonly [number, number] }): ChainIndex => ({
  from,
  to,
});

/** A recorded block, decoded. */
export const blockOf = (raw: string, settings: NetworkSettings): Block =>
  decodeBlock(hexToBytes(raw), settings.groups, { genesis: 'accepted' });
