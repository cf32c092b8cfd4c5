import { type BlockLite, type Hello } from './forms.js';

/** An account of a development network, whose key everybody knows. */
export interface DevelopmentAccount {
  readonly name: string;
  readonly address: string;
  readonly group: number;
}

/** What the service put into the page. */
export interface PageState {
  readonly hello: Hello;
  readonly finalityDepth: number;
  /** What a file of the transactions of an address covers at most. */
  readonly exportLimits: { readonly days: number; readonly transactions: number };
  readonly latestBlocks: readonly BlockLite[];
  /** Hashes of one or two blocks after genesis, if there are any. */
  readonly firstBlocks: readonly string[];
  /** Answers of the API by path. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, string>>;
  /** Where the API of the node is, if that is known. */
  readonly nodeApiUrl?: string;
  /** Of a development network on this machine alone. */
  readonly development?: { readonly accounts: readonly DevelopmentAccount[] };
}

const ofThisMachine = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]'];

/** Where the documentation of the node's API is; a node of the same machine has, seen from another one, the name of this page. */
export const nodeDocumentation = ({ nodeApiUrl }: PageState): string | undefined => {
  if (nodeApiUrl === undefined) return undefined;
  const url = new URL(`${nodeApiUrl.replace(/\/$/, '')}/docs/`, location.href);
  if (ofThisMachine.includes(url.hostname)) url.hostname = location.hostname;
  return url.href;
};

const text = document.getElementById('state')?.textContent;

export const pageState: PageState =
  text === undefined || text === null
    ? {
        hello: { groups: 4, coinSymbol: 'COIN', serverTime: Date.now() },
        finalityDepth: 200,
        exportLimits: { days: 366, transactions: 10_000 },
        latestBlocks: [],
        firstBlocks: [],
        answers: {},
        fields: {},
      }
    : (JSON.parse(text) as PageState);

/** Whether a block can leave the main chain no more. @param depth blocks above it; undefined while unknown */
export const isFinal = (depth: number | undefined): boolean => (depth ?? 0) >= pageState.finalityDepth;
