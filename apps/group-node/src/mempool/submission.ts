import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { ServiceError } from '@shardnode/core/errors';
import { type Logger } from '@shardnode/core/observability';
import {
  doubleSpendingTransaction,
  groupRequests,
  type PeerPublisher,
  type SubmitReply,
  serviceError,
} from '@shardnode/messages';
import { decode, DecodeError, encode } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash, referenceId } from '@shardnode/protocol/primitives';
import { type OutputView, outputStateKey, type WorldState } from '@shardnode/protocol/state';
import { transactionId, type TransactionTemplate, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { admissionChainIndex, checkAdmission, refusalUnderPressure } from '@shardnode/protocol/policy';
import {
  type Refusal,
  scriptExecutor,
  type ScriptExecutor,
  type Verdict,
  withContracts,
} from '@shardnode/protocol/validation';
import { contractsNamedIn } from '../contracts/named-contracts.js';
import { nextBlockOf } from '../contracts/next-block.js';
import { type GroupState } from '../view/group-state.js';
import { type Importer } from '../import/index.js';
import { type SignatureChecker } from '../signatures/signatures.js';
import { type WorkQueue } from '../writer/work-queue.js';
import { hasInputs } from '../mining/minable.js';
import { type Miner } from '../mining/miner.js';
import { type GroupStore } from '../store/index.js';
import { anyCanonical } from '../memory/any-canonical.js';
import { contractLayer } from '../view/contract-view.js';
import { lastUnlock } from '../view/last-unlock.js';
import { type OwnView } from '../view/own-view.js';
import { type ViewAhead, viewAhead } from '../view/shown-view.js';
import { MinedSpenders } from './mined-spenders.js';
import { type PendingWriter } from './pending-writer.js';
import { poolView } from './pool-view.js';
import { RefusedScripts } from './refused-scripts.js';
import { ScriptLanes, type ScriptSource } from './script-lanes.js';
import { poolRefusal, validationError } from './refusal-text.js';

export interface SubmissionParts {
  readonly state: GroupState;
  readonly store: GroupStore;
  readonly importer: Importer;
  readonly queue: WorkQueue;
  readonly miner: Miner;
  readonly pending: PendingWriter;
  readonly signatures: SignatureChecker;
  readonly peers: PeerPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Mining on demand: a submit is answered when its block is stored. */
  readonly minesInstantly: boolean;
  /** Throws `unavailable` while the node must not admit. */
  readonly requireReady: () => void;
  /** A transaction to another group was mined on its own chain. */
  readonly onMinedAcross: (chain: ChainIndex) => void;
}

interface Candidate {
  readonly raw: Uint8Array;
  readonly template: TransactionTemplate;
  readonly id: Hash;
  readonly chain: ChainIndex;
  /** Name of the client that submits it; empty when unknown. */
  readonly client: string;
}

/** A verdict of admission, and which code of the sender ran for it. */
interface AdmissionVerdict {
  readonly refusal: Verdict;
  readonly ran: { unlockScript: boolean; script: boolean };
}

/** Input of admission. */
interface AdmissionView {
  readonly best: readonly Hash[];
  /** The world state from which contracts are read. */
  readonly state: WorldState;
  readonly view: OutputView;
}

/** `Refusal`: its inputs do not exist, and it is not mined itself. */
type Admission = 'pending' | 'confirmed' | Refusal;

/**
 * Part of its deadline that a submit may wait in the writer's queue: under overload a node then answers some requests in
 * time instead of all too late. The rest is for mining and the commit.
 */
const shareOfWaiting = 0.5;

/** Limit of mining attempts per submit: one block may be full. */
const miningAttempts = 3;
/** Milliseconds per attempt, less than the timeout of a client; then the transaction is stored as pending. */
const miningPatience = 2_000;

/**
 * Steps of a submitted transaction: decode, check the chain, run its script, admit in the writer's queue, then mine a
 * block at once or store it in the pool. A script runs first outside the queue and again in it: one that fails, which
 * costs its sender nothing, takes no time of the writer. The response follows when a crash can no longer lose the
 * transaction (decision 12). A repeated submit gets the same response (decision 23).
 */
export class Submission {
  private readonly spenders: MinedSpenders;
  private readonly refusedScripts: RefusedScripts;
  private readonly lanes: ScriptLanes;
  private ahead: ViewAhead | undefined;

  constructor(private readonly parts: SubmissionParts) {
    this.spenders = new MinedSpenders(parts.state);
    this.refusedScripts = new RefusedScripts(parts.clock);
    this.lanes = new ScriptLanes(parts.clock);
  }

  /**
   * @param client its name, by which runs of scripts are shared
   * @param deadlineMs after which the caller no longer waits
   */
  async submit(
    raw: Uint8Array,
    client = '',
    deadlineMs = groupRequests['command.mempool.submit'].deadlineMs,
  ): Promise<SubmitReply> {
    this.parts.requireReady();
    const candidate = this.read(raw, client);
    const { id, chain } = candidate;
    if (hasCode(candidate.template)) await this.tryScript(candidate);
    // A transaction in the pool has no limit on the delay: its sender repeats the submit to learn the status.
    const patience = this.parts.state.pool.get(id) ? {} : { longestDelay: shareOfWaiting * deadlineMs };
    const admission = await this.parts.queue.run('admit', () => this.admit(candidate), patience);
    if (typeof admission === 'object') throw await this.inputsGone(candidate, admission);
    if (admission !== 'confirmed') await this.secure(candidate);
    return { txId: id, fromGroup: chain.from, toGroup: chain.to };
  }

  /** Rejects all scripts that wait for their first run. */
  abort(reason: Error): void {
    this.lanes.abort(reason);
  }

  private read(raw: Uint8Array, client: string): Candidate {
    const { settings, group } = this.parts.state;
    try {
      const template = decode(transactionTemplateCodec, raw);
      const id = transactionId(template.unsigned);
      const chain = admissionChainIndex(template, settings.groups);
      if ('code' in chain) throw validationError(id, template, chain);
      if (chain.from !== group) {
        const detail = `Group ${group} was asked, but the inputs of transaction ${id} are of group ${chain.from}: submit it there`;
        throw serviceError('NotThisGroup', detail, { group: chain.from });
      }
      return { raw, template, id, chain, client };
    } catch (error) {
      if (error instanceof DecodeError) throw undecodable(error);
      throw error;
    }
  }

  /**
   * Judges it outside the writer's queue. Refuses it when its script ran in vain; everything else is decided by the
   * writer, which has transactions that are queued now.
   */
  private async tryScript(candidate: Candidate): Promise<void> {
    const { pool } = this.parts.state;
    const { id, raw, template } = candidate;
    // The writer answers these without a run.
    const isDecided = template.unsigned.inputs.some(({ outputReference }) => pool.spenderOf(outputReference));
    if (pool.get(id) || isDecided || refusalUnderPressure(pool, template)) return;
    const known = this.refusedScripts.errorOf(raw, await this.parts.importer.best());
    if (known) throw known;
    await this.lanes.run(sourceOf(candidate), () => this.verdictOnce(candidate));
  }

  /** protocol 02 §13.4 with decision 12. A task of the writer's queue. */
  private async admit(candidate: Candidate): Promise<Admission> {
    const { state, clock } = this.parts;
    const { pool } = state;
    const { id, template } = candidate;
    if (pool.get(id)) return 'pending';
    // Memory may have been rebuilt while the task was queued.
    this.parts.requireReady();
    for (const { outputReference } of template.unsigned.inputs) {
      const spender = pool.spenderOf(outputReference);
      if (spender !== undefined) throw doubleSpendingTransaction(id, template, spender);
    }
    const pressure = refusalUnderPressure(pool, template);
    if (pressure) {
      if (await this.isConfirmed(id)) return 'confirmed';
      throw poolRefusal(id, pool, pressure);
    }
    const verdict = await this.validate(candidate);
    if (verdict !== 'valid') return verdict;
    const outcome = pool.add(template, BigInt(clock.now()));
    switch (outcome.kind) {
      case 'added':
      case 'known':
        return 'pending';
      case 'double-spending':
        throw doubleSpendingTransaction(id, template, outcome.spender);
      case 'full':
        throw poolRefusal(id, pool, outcome);
    }
  }

  private async validate(candidate: Candidate): Promise<'valid' | 'confirmed' | Refusal> {
    const { id, template } = candidate;
    const refusal = await this.verdictOnce(candidate);
    if (!refusal) return 'valid';
    if (refusal.code === 'TimeLockedTx') throw await this.timeLocked(candidate, refusal);
    if (refusal.code !== 'NonExistInput') throw validationError(id, template, refusal);
    // Its inputs are spent: by itself, in a block, or by another transaction.
    return (await this.isConfirmed(id)) ? 'confirmed' : refusal;
  }

  /**
   * The verdict, from memory if the same script was refused on these dependencies. Throws ServiceError when code of the
   * sender ran and the transaction is refused all the same.
   */
  private async verdictOnce(candidate: Candidate): Promise<Verdict> {
    const { importer, clock } = this.parts;
    const { id, template, raw } = candidate;
    const best = await importer.best();
    const known = this.refusedScripts.errorOf(raw, best);
    if (known) throw known;
    const began = clock.monotonic();
    const { refusal, ran } = await this.verdict(template);
    if (!refusal || !(ran.script || ran.unlockScript)) return refusal;
    const source = sourceOf(candidate);
    // The script of the transaction runs after all signatures are verified: the inputs are the sender's own.
    this.lanes.failed(ran.script ? source : { ...source, inputs: [] }, clock.monotonic() - began);
    const error = validationError(id, template, refusal);
    this.refusedScripts.add(raw, best, error);
    throw error;
  }

  /** Names the mined transaction that spends an input, if there is one (decision 23). */
  private async inputsGone({ id, template }: Candidate, refusal: Refusal): Promise<ServiceError> {
    const conflictingTxId = await this.spenders.of(template);
    return validationError(id, template, refusal, conflictingTxId === undefined ? {} : { conflictingTxId });
  }

  /**
   * The verdict of admission over the view with the pool (protocol 02 §9.7). Stores nothing. `pooled`: its id, when it
   * is in the pool itself.
   */
  async verdict(template: TransactionTemplate, pooled?: Hash): Promise<AdmissionVerdict> {
    const ran = { unlockScript: false, script: false };
    const { state, signatures, clock } = this.parts;
    const { memory, settings } = state;
    const chain = admissionChainIndex(template, settings.groups);
    if ('code' in chain) return { refusal: chain, ran };
    const { view, best, state: base } = await this.viewOf(template, pooled);
    const { script } = template.unsigned;
    if (script) await memory.loadContracts(base, contractsNamedIn([script]));
    const now = BigInt(clock.now());
    const contracts = contractLayer(memory, base);
    const runs = scriptExecutor(await memory.loaded(() => nextBlockOf(memory, chain, best, now)), contracts);
    const executor: ScriptExecutor = {
      runUnlockScript: (run) => {
        ran.unlockScript = true;
        return runs.runUnlockScript(run);
      },
      runTransactionScript: (run) => {
        ran.script = true;
        return runs.runTransactionScript(run);
      },
    };
    // A miss restarts the checks except for the script: the same executor continues it.
    const refusal = await memory.loaded(() =>
      checkAdmission(template, {
        settings,
        view: withContracts(view, contracts),
        now,
        verifySignature: signatures.verify,
        executor,
      }),
    );
    return { refusal, ran };
  }

  /** The view with the pool, with the outputs that the transaction spends in memory. */
  private async viewOf(template: TransactionTemplate, pooled?: Hash): Promise<AdmissionView> {
    const { state, importer } = this.parts;
    const { memory, pool } = state;
    const best = await importer.best();
    const blocks = best === state.shown.best ? state.shown : await this.viewAt(best);
    await memory.loadKeys(
      blocks.state.outputRoot,
      template.unsigned.inputs.map((input) => outputStateKey(input.outputReference)),
    );
    return { best, state: blocks.state, view: poolView(pool, blocks.view, pooled) };
  }

  /** The view with blocks that wait for their commit, shared by all verdicts until the dependencies change. */
  private async viewAt(best: readonly Hash[]): Promise<OwnView> {
    const { memory, announced } = this.parts.state;
    this.ahead = await memory.loaded(() => viewAhead(memory, best, announced, this.ahead));
    return this.ahead;
  }

  /** A temporary refusal: it states the time at which the last input is unlocked. */
  private async timeLocked({ id, template }: Candidate, refusal: Refusal): Promise<ServiceError> {
    const { view } = await this.viewOf(template);
    const references = template.unsigned.inputs.map(({ outputReference }) => outputReference);
    const spendableAt = this.parts.state.memory.loaded(() => lastUnlock(references, (each) => view.output(each)));
    return validationError(id, template, refusal, { spendableAt: await spendableAt });
  }

  private async isConfirmed(id: Hash): Promise<boolean> {
    const { state, store } = this.parts;
    const { memory } = state;
    return (
      (await anyCanonical(memory, state.locations.get(id))) ||
      anyCanonical(memory, await store.transactionLocations(id))
    );
  }

  /** Makes the transaction durable: in a block, or in the stored pool. */
  private async secure(candidate: Candidate): Promise<void> {
    const { minesInstantly, pending, peers } = this.parts;
    if (minesInstantly && (await this.mine(candidate))) return;
    const { id, chain } = candidate;
    const pooled = this.parts.state.pool.get(id);
    if (!pooled) return;
    // The bytes that were judged: the id does not cover signatures, so those of a repeated submit may be others.
    const raw = encode(transactionTemplateCodec, pooled.template);
    await pending.add({ txId: id, chain, firstSeen: pooled.enteredAt, raw });
    if (chain.to !== chain.from) peers.publish('peer.tx', { from: chain.from, to: chain.to, template: raw });
  }

  /** True when it is in a block. After a failed attempt all transactions stay in the pool (decision 12). */
  private async mine(candidate: Candidate): Promise<boolean> {
    const { id, chain, template } = candidate;
    const { state } = this.parts;
    for (let attempt = 0; attempt < miningAttempts; attempt++) {
      // It spends outputs that are pending, or that only the sender's group includes yet: a block follows when it is
      // possible.
      const { memory, shown } = state;
      if (state.pool.get(id) && !(await memory.loaded(() => hasInputs(template, shown.plain.view)))) return false;
      if (!(await this.tryToMine(chain))) return false;
      if (state.pool.get(id)) continue;
      if (!(await this.isConfirmed(id))) throw await this.leftUnmined(candidate);
      if (chain.to !== chain.from) this.parts.onMinedAcross(chain);
      return true;
    }
    return false;
  }

  /** The reason why it left the pool: a template found it invalid, or a mined transaction spends one of its inputs. */
  private async leftUnmined(candidate: Candidate): Promise<ServiceError> {
    const { id } = candidate;
    const dropped = await this.parts.store.dropReason(id);
    if (!dropped || dropped.conflictingTxId !== undefined)
      return this.inputsGone(candidate, { code: 'NonExistInput', detail: 'an input is spent already' });
    return new ServiceError('refused', dropped.code, `Transaction ${id} left the mempool unmined: ${dropped.detail}`, {
      txId: id,
    });
  }

  /** False when no block was made: a fault of this node or a long nonce search is no reason to refuse a transaction. */
  private async tryToMine(chain: ChainIndex): Promise<boolean> {
    const { miner, clock, logger } = this.parts;
    let timer: Timer | undefined;
    const tooLong = new Promise<boolean>((resolve) => {
      timer = clock.after(miningPatience, () => resolve(false));
    });
    const mined = miner.mine(chain).then(
      () => true,
      (error: unknown) => {
        logger.warn({ err: error, chain }, 'a submitted transaction was not mined at once');
        return false;
      },
    );
    try {
      return await Promise.race([mined, tooLong]);
    } finally {
      timer?.cancel();
    }
  }
}

/** Whether code of the sender runs when it is judged. */
const hasCode = ({ unsigned: { script, inputs } }: TransactionTemplate): boolean =>
  script !== undefined || inputs.some(({ unlockScript }) => unlockScript.kind === 'p2sh');

const sourceOf = ({ client, template }: Candidate): ScriptSource => ({
  client,
  inputs: template.unsigned.inputs.map(({ outputReference }) => referenceId(outputReference)),
});

const undecodable = ({ message }: DecodeError): ServiceError =>
  serviceError('Undecodable', `The bytes are no transaction with signatures: ${message}`, {
    field: 'template',
  });
