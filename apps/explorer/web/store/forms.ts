/** The answers of the API that the page reads (protocol 08 §5.4, §6). Amounts are decimal strings in attoCoin. */

export interface Chain {
  readonly chainFrom: number;
  readonly chainTo: number;
}

export interface BlockLite extends Chain {
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly height: number;
  /** The coinbase counted. */
  readonly txNumber: number;
  readonly mainChain: boolean;
  readonly hashRate: string;
}

export interface Block extends BlockLite {
  /** 2G-1 hashes: intra-group blocks of the other groups, then the newest block of each chain of its own group. */
  readonly deps: readonly string[];
  readonly nonce: string;
  readonly version: number;
  readonly depStateHash: string;
  readonly txsHash: string;
  readonly target: string;
  readonly parent: string | null;
}

/** What a block of the main chain has paid; amounts in attoCoin. */
export interface BlockSummary {
  readonly hash: string;
  /** Who got the block reward. */
  readonly miner: string;
  readonly reward: string;
  /** What addresses gained in its transactions, without the block reward. */
  readonly moved: string;
}

export interface TokenAmount {
  readonly id: string;
  readonly amount: string;
}

export interface Input {
  readonly outputRef: { readonly hint: number; readonly key: string };
  readonly unlockScript?: string;
  readonly txHashRef?: string;
  readonly address?: string;
  readonly attoCoinAmount?: string;
  readonly tokens?: readonly TokenAmount[];
  readonly contractInput: boolean;
}

export interface Output {
  readonly type: 'AssetOutput' | 'ContractOutput';
  readonly hint: number;
  readonly key: string;
  readonly attoCoinAmount: string;
  readonly address: string;
  readonly tokens?: readonly TokenAmount[];
  readonly lockTime?: number;
  readonly message?: string;
  readonly spent?: string;
  readonly fixedOutput: boolean;
}

interface AnyTransaction extends Chain {
  readonly hash: string;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  readonly gasAmount: number;
  readonly gasPrice: string;
}

export interface Transaction extends AnyTransaction {
  readonly type?: 'Accepted';
  readonly blockHash: string;
  readonly timestamp: number;
  readonly version: number;
  readonly networkId: number;
  readonly scriptOpt: string | null;
  readonly scriptExecutionOk: boolean;
  readonly inputSignatures: readonly string[];
  readonly scriptSignatures: readonly string[];
  readonly coinbase: boolean;
  readonly blockHeight: number;
  readonly txOrder: number;
}

export interface MempoolTransaction extends AnyTransaction {
  /** When the explorer saw it first, milliseconds since 1970. */
  readonly lastSeen: number;
}

export interface PendingTransaction extends MempoolTransaction {
  readonly type: 'Pending';
}

/** Why a script failed. Names of the source are there on a development network. */
export interface ScriptFailure {
  /** Null where nobody can say any more. */
  readonly reason: string | null;
  readonly contract?: string;
  readonly place?: string;
  readonly failedFunction?: string;
  readonly assertionCode?: string;
  readonly assertionName?: string;
}

export interface AddressInfo {
  /** With what is locked. */
  readonly balance: string;
  readonly lockedBalance: string;
  readonly txNumber: number;
}

/** Unspent outputs of about one size. */
export interface UtxoSize {
  /** Least amount: 1, 2 or 5 times a power of ten. */
  readonly from: string;
  readonly utxoNumber: number;
  readonly attoCoinAmount: string;
}

export interface UnspentOutput {
  readonly key: string;
  readonly attoCoinAmount: string;
  /** The transaction that made it. */
  readonly txHash: string;
  /** Milliseconds since 1970; absent when it is not locked. */
  readonly lockTime?: number;
}

export interface UtxoSummary {
  readonly utxoNumber: number;
  /** Fewer than all where an address has very many transactions. */
  readonly countedNumber: number;
  /** The smallest first. */
  readonly sizes: readonly UtxoSize[];
  readonly nextUnlock?: {
    /** Milliseconds since 1970. */
    readonly lockTime: number;
    readonly attoCoinAmount: string;
  };
  /** The largest first; absent of an address with 400 or more. */
  readonly outputs?: readonly UnspentOutput[];
}

export interface TokenBalance {
  readonly tokenId: string;
  readonly balance: string;
  readonly lockedBalance: string;
}

/** What the page of an address shows first, all of one moment. */
export interface AddressOverview {
  readonly info: AddressInfo;
  readonly utxos: UtxoSummary;
  /** The first 100. */
  readonly tokens: readonly TokenBalance[];
  /** Newest first, as the next ones. */
  readonly pending: readonly MempoolTransaction[];
  readonly transactions: readonly Transaction[];
  /** Leads on in the list of transactions. */
  readonly nextCursor?: string;
}

/** What a fungible token says of itself: texts of a stranger. */
export interface TokenMetadata {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: string;
}

/** What a non-fungible token says of itself. */
export interface NftMetadata {
  readonly id: string;
  readonly tokenUri: string;
  /** Contract id. */
  readonly collectionId: string;
  readonly nftIndex: string;
}

export interface CollectionMetadata {
  readonly address: string;
  readonly collectionUri: string;
}

export interface TokenDetails {
  readonly token: string;
  /** `fungible`, `non-fungible`, `non-standard`, or an id; null while unknown. */
  readonly stdInterfaceId: string | null;
  readonly metadata?: TokenMetadata | NftMetadata;
  readonly txNumber: number;
  readonly holders: number;
  /** In the smallest unit. */
  readonly supplyInOutputs: string;
}

export interface Holder {
  readonly address: string;
  readonly balance: string;
}

export type Finding = {
  readonly kind: 'block' | 'transaction' | 'pending' | 'token' | 'address' | 'contract';
  readonly id: string;
  readonly label?: string;
};

export interface Stats {
  readonly totalTransactions: number;
  readonly totalBlocks: number;
  readonly hashRate: string;
  readonly averageBlockTimeMs: number;
  readonly pendingCount: number;
  readonly lagMs: number;
}

export interface PendingEntry extends Chain {
  readonly hash: string;
  readonly lastSeen: number;
}

/** The first event of a stream. */
export interface Hello {
  readonly groups: number;
  readonly blockTargetTimeMs?: number;
  readonly coinSymbol: string;
  /** Milliseconds since 1970. */
  readonly serverTime: number;
}

export interface Snapshot {
  readonly heads: readonly BlockLite[];
  /** Hashes of the blocks after genesis, of the chains that have one. */
  readonly firstBlocks: readonly string[];
  readonly latestBlocks: readonly BlockLite[];
  readonly pendingCount?: number;
  readonly stats?: Stats;
}

export interface Reorganisation extends Chain {
  readonly forkHeight: number;
  /** Hashes, newest first. */
  readonly removed: readonly string[];
  /** Oldest first. */
  readonly added: readonly BlockLite[];
}

/** A transaction of a watched address has begun to wait, has a block now, or has lost it. */
export interface AddressChange {
  readonly address: string;
  readonly txHash: string;
  readonly kind: 'pending' | 'confirmed' | 'reverted';
}

export interface PendingChange {
  readonly added?: readonly PendingEntry[];
  readonly removed?: readonly string[];
  /** More has changed than an event holds. */
  readonly overflow?: boolean;
}

/** What the index says of itself (protocol 08 §5.9). */
export interface Sync {
  readonly synced: boolean;
  /** `initial`, `live` or `stopped`. */
  readonly phase: string;
  readonly lagMs: number;
  /** Milliseconds since 1970. */
  readonly finalizedTimestamp: number;
  readonly unresolvedInputs: number;
  readonly conflictInputs: number;
  readonly chains: readonly ChainSync[];
  /** `ok` or `failed`; null before the first check. */
  readonly verify: string | null;
}

export interface ChainSync extends Chain {
  readonly height: number;
  /** Null while unknown. */
  readonly nodeHeight: number | null;
  /** Of its newest block, milliseconds since 1970; 0 before the first. */
  readonly timestamp: number;
  /** `following`, `unreachable`, `ChainStopped` or `ResyncRequired`. */
  readonly state: string;
}

export interface ExplorerInfo {
  readonly releaseVersion: string;
  readonly commit: string;
  readonly migrationsVersion: number;
}
