import { setTimeout as pause } from 'node:timers/promises';
import { apiClient, type ApiClient, type Method } from '../api-client.js';
import { chains, groups } from '../chains.js';
import { patience } from '../patience.js';
import { groupWithNumber } from './fault-load.js';

/** A request that changes nothing. */
export interface ReadRequest {
  readonly method?: Method;
  readonly path: string;
  readonly body?: unknown;
  /** What a 503 has to name; default: a group. */
  readonly blames?: RegExp;
}

export interface ReadMixOptions {
  readonly baseUrl: () => string;
  /** One of each group. */
  readonly addresses: readonly string[];
  /** Of transactions and blocks that are there. */
  readonly txIds: readonly string[];
  readonly blockHashes: readonly string[];
  /** A wallet that is unlocked. */
  readonly walletName?: string;
  /** Milliseconds between two rounds; a round does not wait for the one before. Default 400. */
  readonly everyMs?: number;
}

/**
 * Milliseconds. The longest way of a read: the group that is remembered (5 s), all groups (5 s), and whether the receiver
 * shows the block (2 s), each with the deadline of its message; and a little.
 */
const longestAnswer = 13_000;

const walletOrGroup = new RegExp(`wallet-service|${groupWithNumber.source}`, 'i');

const requestsOf = ({ addresses, txIds, blockHashes, walletName }: ReadMixOptions): readonly ReadRequest[] => [
  ...addresses.flatMap((address) => [
    { path: `/addresses/${address}/balance` },
    { path: `/addresses/${address}/utxos` },
    { path: `/addresses/${address}/group` },
  ]),
  ...txIds.flatMap((txId) => [
    { path: `/transactions/status?txId=${txId}` },
    { path: `/transactions/details/${txId}` },
    ...groups.map((group) => ({ path: `/transactions/status?txId=${txId}&fromGroup=${group}&toGroup=${group}` })),
  ]),
  { path: `/transactions/status?txId=${'ab'.repeat(32)}` },
  ...blockHashes.map((hash) => ({ path: `/blockflow/blocks/${hash}` })),
  ...blockHashes.map((hash) => ({ path: `/blockflow/is-block-in-main-chain?blockHash=${hash}` })),
  ...chains.map(({ from, to }) => ({ path: `/blockflow/chain-info?fromGroup=${from}&toGroup=${to}` })),
  { path: `/blockflow/blocks?fromTs=1600000000000&toTs=1600000000001` },
  ...['self-clique', 'node', 'version', 'chain-params'].map((fact) => ({ path: `/infos/${fact}` })),
  ...(walletName === undefined
    ? []
    : ['', `/${walletName}`, `/${walletName}/addresses`, `/${walletName}/balances`].map((path) => ({
        path: `/wallets${path}`,
        blames: walletOrGroup,
      }))),
];

/**
 * Reads of all kinds, again and again, whatever becomes of those before. Each must be answered in time: 200, or 503 that
 * says which group (or that the wallet-service) is not there. 404 is an answer about something that exists, hence wrong.
 */
export class ReadMix {
  readonly defects: string[] = [];
  /** Answers by status; 0 for a connection that broke. */
  readonly answers = new Map<number, number>();
  /** What 503s said, and how often. */
  readonly complaints = new Map<string, number>();
  /** Milliseconds and the request. */
  slowest = { milliseconds: 0, path: '' };
  private readonly requests: readonly ReadRequest[];
  private readonly open = new Set<Promise<void>>();
  private resting = true;
  private rounds: Promise<void> = Promise.resolve();

  private readonly api: ApiClient;

  constructor(private readonly options: ReadMixOptions) {
    // None of them may wait for a connection behind others that wait for their answers.
    this.api = apiClient(options.baseUrl, Number.POSITIVE_INFINITY);
    this.requests = requestsOf(options);
  }

  begin(): void {
    this.resting = false;
    this.rounds = this.run();
  }

  /** Ends once every request has its answer. */
  async rest(): Promise<void> {
    this.resting = true;
    await this.rounds;
    await Promise.all(this.open);
  }

  /** Forgets what was seen; between `rest` and `begin`. */
  reset(): void {
    this.defects.length = 0;
    this.answers.clear();
    this.complaints.clear();
    this.slowest = { milliseconds: 0, path: '' };
  }

  /** Fails with the answers that nobody may get. */
  expectGood(): void {
    if (this.defects.length === 0) return;
    throw new Error(`${this.defects.length} bad answers to reads:\n${this.defects.slice(0, 10).join('\n')}`);
  }

  close(): void {
    this.api.close();
  }

  describe(): string {
    const answers = [...this.answers].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
    const { milliseconds, path } = this.slowest;
    return `reads ${answers.join(', ')}; slowest ${milliseconds.toFixed(0)} ms (${path.slice(0, 60)})`;
  }

  private async run(): Promise<void> {
    const { everyMs = 400 } = this.options;
    while (!this.resting) {
      for (const request of this.requests) {
        const asked = this.ask(request).finally(() => this.open.delete(asked));
        this.open.add(asked);
        // Spread over the round: a burst of all of them would measure the burst.
        await pause(everyMs / this.requests.length);
        if (this.resting) return;
      }
    }
  }

  private async ask({ method = 'GET', path, body, blames = groupWithNumber }: ReadRequest): Promise<void> {
    const began = performance.now();
    const answer = await this.api.send(method, path, { body }).catch(() => undefined);
    const milliseconds = performance.now() - began;
    const status = answer?.status ?? 0;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
    if (milliseconds > this.slowest.milliseconds) this.slowest = { milliseconds, path };
    const what = `${path} after ${milliseconds.toFixed(0)} ms: ${status} ${answer?.text ?? ''}`;
    if (milliseconds > patience(longestAnswer)) this.defects.push(`too late: ${what}`);
    if (status === 503) {
      const { text } = answer!;
      this.complaints.set(text, (this.complaints.get(text) ?? 0) + 1);
      if (!blames.test(text)) this.defects.push(`503 that names nobody: ${what}`);
    } else if (status !== 200) this.defects.push(what);
  }
}
