import { setTimeout as pause } from 'node:timers/promises';
import { type TestKey } from '@shardnode/testing/keys';
import { type Answer, type ApiClient } from '../api-client.js';
import { type BuiltForm, type StatusForm } from '../api-forms.js';
import { type LoadTransaction } from '../cluster/fault-load.js';
import { signOffline } from '../transfers.js';

/** Where the load keeps what was sent, and answers that no careful sender may get. */
export interface Sink {
  readonly transactions: LoadTransaction[];
  readonly defects: string[];
}

/** A script transaction that was built. */
export interface BuiltScript extends BuiltForm {
  /** Of deployments. */
  readonly contractAddress?: string;
}

const tooSmallChange = /The change is [0-9.]+ \w+ .*would need/;

/** 429: a script of this machine has failed and others wait, too; it is sent again. */
const isTemporary = ({ status }: Answer): boolean => status === 503 || status === 429;

/** How a transaction ended; `lost`: it left the pool for a reason that the status tells. */
export type End = 'confirmed' | 'lost' | 'refused';

/** Milliseconds after which a sender gives up: no fault lasts that long. */
const patienceMs = 120_000;

/**
 * Builds, signs and submits script transactions of one key, one after the other. It is careful: what got no answer is asked
 * again, the same bytes, until there is one, and the next transaction waits until this one is confirmed.
 */
export class ContractSender {
  acknowledged = 0;
  /** Once true, nothing new is begun. */
  resting = false;

  constructor(
    private readonly apis: readonly ApiClient[],
    readonly key: TestKey,
    private readonly sink: Sink,
  ) {}

  /**
   * Undefined when the network refuses to build it and `mayRefuse`, when the outputs that it takes by its rules leave too
   * little for the change (protocol 02 §4.8), or when the sender is to rest meanwhile. A state that is not there yet comes
   * soon: another refusal counts after some seconds only.
   */
  async build(path: string, body: object, mayRefuse = false): Promise<BuiltScript | undefined> {
    const request = { fromPublicKey: Buffer.from(this.key.publicKey).toString('hex'), ...body };
    const until = performance.now() + patienceMs;
    let refusals = 0;
    while (performance.now() < until && !this.resting) {
      const answer = await this.ask(path, request);
      if (answer?.status === 200) return JSON.parse(answer.text) as BuiltScript;
      if (answer && !isTemporary(answer)) {
        refusals += 1;
        if (answer.status === 400 && (mayRefuse || tooSmallChange.test(answer.text))) return undefined;
        if (refusals > 40) {
          this.sink.defects.push(`${path}: ${answer.status} ${answer.text} for ${JSON.stringify(body)}`);
          return undefined;
        }
      }
      await pause(100);
    }
    return undefined;
  }

  /** Signs, submits, and waits until it is confirmed or lost. `mayRefuse`: another transaction may have come before it. */
  async send(built: BuiltScript, mayRefuse = false): Promise<End> {
    const { txId, unsignedTx, fromGroup, toGroup } = built;
    const transaction: LoadTransaction = {
      txId,
      from: fromGroup,
      to: toGroup,
      unsignedTx,
      signature: signOffline(built, this.key),
      acknowledged: false,
      blockHash: undefined,
      reason: undefined,
    };
    this.sink.transactions.push(transaction);
    if (!(await this.submit(transaction, mayRefuse))) return 'refused';
    this.acknowledged += 1;
    return this.wait(transaction);
  }

  private async submit(transaction: LoadTransaction, mayRefuse: boolean): Promise<boolean> {
    const { unsignedTx, signature, txId } = transaction;
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      const answer = await this.ask('/transactions/submit', { unsignedTx, signature });
      if (answer?.status === 200) {
        transaction.acknowledged = true;
        return true;
      }
      if (answer && !isTemporary(answer)) {
        if (!mayRefuse) this.sink.defects.push(`submit of ${txId}: ${answer.status} ${answer.text}`);
        return false;
      }
      await pause(100);
    }
    this.sink.defects.push(`${txId} was never answered`);
    return false;
  }

  private async wait(transaction: LoadTransaction): Promise<End> {
    const { txId } = transaction;
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      const status = await this.status(txId);
      if (status?.type === 'Confirmed') {
        transaction.blockHash = status.blockHash;
        return 'confirmed';
      }
      if (status?.type === 'TxNotFound') return this.leftUnmined(transaction, status);
      await pause(100);
    }
    this.sink.defects.push(`${txId} was not confirmed within ${patienceMs} ms`);
    return 'lost';
  }

  private leftUnmined(transaction: LoadTransaction, { reason }: Extract<StatusForm, { type: 'TxNotFound' }>): End {
    if (reason) transaction.reason = `${reason.code}: ${reason.detail}`;
    else this.sink.defects.push(`${transaction.txId} was acknowledged and is not found`);
    return 'lost';
  }

  private async status(txId: string): Promise<StatusForm | undefined> {
    try {
      const { status, text } = await this.apis[0]!.send('GET', `/transactions/status?txId=${txId}`);
      if (status === 200) return JSON.parse(text) as StatusForm;
      if (status !== 503) this.sink.defects.push(`status of ${txId}: ${status} ${text}`);
    } catch {
      // The connection broke: asked again.
    }
    return undefined;
  }

  private turn = 0;

  /** Undefined when the connection broke. Every answer is 200, 400 or, while a group is not there or busy, 503 or 429. */
  private async ask(path: string, body: object): Promise<Answer | undefined> {
    const api = this.apis[this.turn++ % this.apis.length]!;
    try {
      const answer = await api.send('POST', path, { body });
      if (![200, 400, 429, 503].includes(answer.status)) {
        this.sink.defects.push(`${path}: ${answer.status} ${answer.text}`);
      }
      return answer;
    } catch {
      return undefined;
    }
  }
}
