import { Controller, Inject } from '@nestjs/common';
import { createInProcessNetwork } from '@shardnode/core/bus';
import { ServiceError } from '@shardnode/core/errors';
import { createMetrics, type Logger } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';
import { groupRouting, HandlesGroupRequest, type GroupRequests, type UnsweptOutputs } from '@shardnode/messages';
import { buildSweep, buildTransfer, utxoSourceOf } from '@shardnode/protocol/building';
import { type Refusal } from '@shardnode/protocol/validation';
import { verifySignature } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import {
  groupOfLockupScript,
  lockupScriptCodec,
  referenceId,
  type AssetLockupScript,
} from '@shardnode/protocol/primitives';
import {
  outputsOf,
  referenceOf,
  transactionId,
  transactionTemplateCodec,
  unlockScriptCodec,
  unsignedTransactionCodec,
  type AssetOutput,
  type UnsignedTransaction,
} from '@shardnode/protocol/transaction';
import { admissionChainIndex, checkAdmission, completeTemplate } from '@shardnode/protocol/policy';
import { assetOutput, inventedOutput, outputViewOf, type SpendableOutput } from '@shardnode/testing/builders';
import { executorWithoutContracts } from '@shardnode/testing/contract-state';

type Request<Name extends keyof GroupRequests> = GroupRequests[Name]['request'];
type Reply<Name extends keyof GroupRequests> = GroupRequests[Name]['reply'];

const settings = developmentNetwork;
const { groups } = settings;
const aMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const refused = ({ code, detail = code, facts }: Refusal<string>): ServiceError =>
  new ServiceError('refused', code, detail, facts);

/** The unspent outputs of all groups and what was submitted: the ledger behind the stand-ins. */
export class StandInLedger {
  readonly unspent = new Map<string, SpendableOutput>();
  readonly submitted: string[] = [];
  /** Requests that are between their arrival and their answer, by kind, and the most at once. */
  readonly underWay = { now: 0, most: 0 };
  /** Transactions of a sweep that are built at once. */
  sweepBound = 256;
  /** Whether groups say that there is more to sweep, whatever they have. */
  saysMore = false;
  /** Outputs that sweeps leave, by the lockup script of their address. */
  readonly left = new Map<string, UnsweptOutputs>();
  /** Called before a transaction is taken; a test holds or fails it here. */
  beforeSubmit: () => Promise<void> = aMoment;
  afterSubmit: () => Promise<void> = aMoment;
  beforeBuild: () => Promise<void> = aMoment;

  fund(lockupScript: AssetLockupScript, amount: bigint, name: string): void {
    const funds = inventedOutput(assetOutput(lockupScript, amount), name);
    this.unspent.set(referenceId(funds.reference), funds);
  }

  of(lockupScript: string): SpendableOutput[] {
    return [...this.unspent.values()].filter(
      ({ output }) => bytesToHex(encode(lockupScriptCodec, output.lockupScript)) === lockupScript,
    );
  }

  balance(lockupScript: string): bigint {
    return this.of(lockupScript).reduce((sum, { output }) => sum + output.amount, 0n);
  }
}

const ledgerToken = Symbol('ledger');

/** Builds and admits by the real rules over a ledger in memory; nothing is mined. */
@Controller()
class StandInHandlers {
  constructor(@Inject(ledgerToken) private readonly ledger: StandInLedger) {}

  @HandlesGroupRequest('read.address.balance')
  async balance({ lockupScript }: Request<'read.address.balance'>): Promise<Reply<'read.address.balance'>> {
    const balance = this.ledger.balance(lockupScript).toString();
    const utxoNum = this.ledger.of(lockupScript).length;
    return { balance, lockedBalance: '0', tokenBalances: [], lockedTokenBalances: [], utxoNum };
  }

  @HandlesGroupRequest('read.building.transfer')
  async build(request: Request<'read.building.transfer'>): Promise<Reply<'read.building.transfer'>> {
    return this.underWay(async () => {
      const utxos = this.utxosOf(request.lockupScript);
      await this.ledger.beforeBuild();
      const sender = senderOf(request);
      const destinations = request.destinations.map((one) => ({
        lockupScript: decode(lockupScriptCodec, hexToBytes(one.lockupScript)) as AssetLockupScript,
        amount: BigInt(one.amount),
        tokens: [],
        lockTime: one.lockTime === undefined ? undefined : BigInt(one.lockTime),
      }));
      const { gasAmount, gasFormula } = request;
      const gasPrice = BigInt(request.gasPrice ?? 10n ** 11n);
      const { networkId } = settings;
      const outcome = buildTransfer(
        { networkId, groups, sender, destinations, gasAmount, gasPrice, gasFormula, destinationGroups: 'one' },
        utxoSourceOf(utxos),
      );
      if (!outcome.ok) throw refused(outcome.refusal);
      return builtOf(outcome.value, sender.lockupScript, destinations[0]!.lockupScript);
    });
  }

  @HandlesGroupRequest('read.building.sweep')
  async sweep(request: Request<'read.building.sweep'>): Promise<Reply<'read.building.sweep'>> {
    return this.underWay(async () => {
      const utxos = this.utxosOf(request.lockupScript);
      await this.ledger.beforeBuild();
      const sender = senderOf(request);
      const destination = decode(lockupScriptCodec, hexToBytes(request.destination)) as AssetLockupScript;
      const { gasAmount } = request;
      const gasPrice = BigInt(request.gasPrice ?? 10n ** 11n);
      const lockTime = request.lockTime === undefined ? undefined : BigInt(request.lockTime);
      const { networkId } = settings;
      const left = this.ledger.left.get(request.lockupScript);
      const outcome = buildSweep({ networkId, sender, destination, lockTime, gasAmount, gasPrice }, utxos);
      if (!outcome.ok) throw refused(outcome.refusal);
      const transactions = outcome.value
        .slice(0, this.ledger.sweepBound)
        .map((unsigned) => builtOf(unsigned, sender.lockupScript, destination));
      return {
        transactions,
        fromGroup: groupOfLockupScript(sender.lockupScript, groups),
        toGroup: groupOfLockupScript(destination, groups),
        more: this.ledger.saysMore || outcome.value.length > transactions.length,
        ...(left && { left }),
      };
    });
  }

  @HandlesGroupRequest('command.mempool.submit')
  async submit(request: Request<'command.mempool.submit'>): Promise<Reply<'command.mempool.submit'>> {
    await this.ledger.beforeSubmit();
    const template = decode(transactionTemplateCodec, request.template);
    const view = outputViewOf([...this.ledger.unspent.values()]);
    const executor = executorWithoutContracts(settings);
    const refusal = checkAdmission(template, { settings, view, now: 1_800_000_000_000n, verifySignature, executor });
    if (refusal) throw refused(refusal);
    const chain = admissionChainIndex(template, groups);
    if ('code' in chain) throw refused(chain);
    const txId = transactionId(template.unsigned);
    for (const { outputReference } of template.unsigned.inputs)
      this.ledger.unspent.delete(referenceId(outputReference));
    outputsOf(completeTemplate(template)).forEach((output, index) => {
      const reference = referenceOf(output, txId, index);
      this.ledger.unspent.set(referenceId(reference), { reference, output: output as AssetOutput });
    });
    this.ledger.submitted.push(txId);
    await this.ledger.afterSubmit();
    return { txId, fromGroup: chain.from, toGroup: chain.to };
  }

  private utxosOf(lockupScript: string) {
    return this.ledger.of(lockupScript).map(({ reference, output }) => ({
      reference,
      amount: output.amount,
      tokens: output.tokens,
      level: 0 as const,
    }));
  }

  private async underWay<T>(build: () => Promise<T>): Promise<T> {
    const { underWay } = this.ledger;
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    try {
      return await build();
    } finally {
      underWay.now -= 1;
    }
  }
}

const senderOf = ({
  lockupScript,
  unlockScript,
}: {
  readonly lockupScript: string;
  readonly unlockScript: string;
}) => ({
  lockupScript: decode(lockupScriptCodec, hexToBytes(lockupScript)) as AssetLockupScript,
  unlockScript: decode(unlockScriptCodec, hexToBytes(unlockScript)),
});

const builtOf = (
  unsigned: UnsignedTransaction,
  from: AssetLockupScript,
  to: AssetLockupScript,
): Reply<'read.building.transfer'> => ({
  unsignedTx: encode(unsignedTransactionCodec, unsigned),
  txId: transactionId(unsigned),
  gasAmount: unsigned.gasAmount,
  gasPrice: unsigned.gasPrice.toString(),
  fromGroup: groupOfLockupScript(from, groups),
  toGroup: groupOfLockupScript(to, groups),
});

/** A small service for each group, on the real bus, with the real rules for building and admission. */
export const standInGroups = async (
  network: Pick<ReturnType<typeof createInProcessNetwork>, 'join'>,
  ns: string,
  ledger: StandInLedger,
  logger: Logger,
): Promise<RunningService[]> =>
  Promise.all(
    Array.from({ length: groups }, async (_, group) => {
      const name = `group-node-${group}`;
      const sender = { service: 'group-node', member: group };
      const { server } = await network.join({ sender, routing: groupRouting({ ns, group, groups }), logger });
      return createService({
        name,
        module: { controllers: [StandInHandlers], providers: [{ provide: ledgerToken, useValue: ledger }] },
        http: { host: '127.0.0.1', port: 0 },
        server,
        logger,
        metrics: createMetrics({ service: name }),
      });
    }),
  );
