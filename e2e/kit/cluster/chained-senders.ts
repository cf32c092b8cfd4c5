import { seededRandom } from '@shardnode/testing/seeded-random';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { outputHint } from '@shardnode/protocol/primitives';
import {
  outputKey,
  transactionId,
  type UnsignedTransaction,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import {
  assetOutput,
  buildSignedTransfer,
  type SpendableOutput,
  type TransferRequest,
} from '@shardnode/testing/builders';
import { testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { type ApiClient } from '../api-client.js';
import { type CounterCall } from '../contracts/counter-calls.js';
import { groups } from '../chains.js';
import { fundingTransfer, oneCoin } from '../transfers.js';
import { type LoadTransaction } from './fault-load.js';

const outputOf = (unsigned: UnsignedTransaction, index: number): SpendableOutput => {
  const output = unsigned.fixedOutputs[index]!;
  return {
    reference: { hint: outputHint(output.lockupScript), key: outputKey(transactionId(unsigned), index) },
    output,
  };
};

/** Of the transactions of a sender that has something to call. */
const shareOfCalls = 0.5;

/** What a sender sends, by chance one or the other. */
export interface Mix {
  /** Each receiver gets as many. */
  readonly receivers: readonly TestKey[];
  /** Undefined: transfers alone. */
  readonly call: CounterCall | undefined;
  readonly random: () => number;
}

/**
 * A sender that needs no node to make its transactions: each spends what the one before gave back, so that a whole chain of
 * them can be signed ahead. It goes on to the next one only when this one was acknowledged, and sends the same bytes until
 * then.
 */
export class ChainedSender {
  isWaiting = false;
  /** In order; the first is to be acknowledged next. */
  private readonly signed: LoadTransaction[] = [];
  private number = 0;

  constructor(
    private readonly key: TestKey,
    private owned: SpendableOutput,
    private readonly mix: Mix,
  ) {}

  /** What is to be acknowledged next. */
  get current(): LoadTransaction {
    this.signAhead(1);
    return this.signed[0]!;
  }

  /** Signs until so many transactions are ready. */
  signAhead(count: number): void {
    while (this.signed.length < count) this.signed.push(this.make());
  }

  acknowledged(): void {
    this.signed.shift()!.acknowledged = true;
  }

  private make(): LoadTransaction {
    const { receivers, call, random } = this.mix;
    const { group } = this.key;
    if (call && random() < shareOfCalls) return this.signedWith({ outputs: [], ...call }, group);
    const to = receivers[this.number++ % receivers.length]!;
    return this.signedWith({ outputs: [assetOutput(to.lockupScript, oneCoin / 1_000n)] }, to.group);
  }

  private signedWith(request: Pick<TransferRequest, 'outputs' | 'script' | 'gasAmount'>, to: number): LoadTransaction {
    const { unsigned } = buildSignedTransfer({ settings, from: this.key, spend: [this.owned], ...request });
    const txId = transactionId(unsigned);
    this.owned = outputOf(unsigned, request.outputs.length);
    return {
      txId,
      from: this.key.group,
      to,
      unsignedTx: bytesToHex(encode(unsignedTransactionCodec, unsigned)),
      signature: bytesToHex(sign(hexToBytes(txId), this.key.privateKey)),
      acknowledged: false,
      blockHash: undefined,
      reason: undefined,
    };
  }
}

/** Outputs of one transaction of those that fund senders. */
const fundedAtOnce = 50;

/**
 * Senders in all groups in turn, each with 100 coins of its own in one output, spendable now. `calls`: what those of a group
 * call, each one of them; none: they transfer only.
 */
export const fundChainedSenders = async (
  api: ApiClient,
  funded: readonly TestKey[],
  perGroup: number,
  calls: readonly (readonly CounterCall[])[] = [],
): Promise<readonly ChainedSender[]> => {
  const receivers = groups.map((group) => testKeysOfGroup(group, 12).at(-1)!);
  const fund = async (group: number): Promise<ChainedSender[]> => {
    const keys = testKeysOfGroup(group, 1_000 + perGroup).slice(1_000);
    const senders: ChainedSender[] = [];
    for (let first = 0; first < keys.length; first += fundedAtOnce) {
      const some = keys.slice(first, first + fundedAtOnce);
      const attoCoinAmount = (100n * oneCoin).toString();
      const destinations = some.map(({ address }) => ({ address, attoCoinAmount }));
      const built = await fundingTransfer(api, funded[group]!, destinations);
      const unsigned = decode(unsignedTransactionCodec, hexToBytes(built.unsignedTx));
      const made = some.map((key, index) => {
        // Not all of them to the same group at the same time.
        const turn = (group + senders.length + index) % groups.length;
        const number = senders.length + index;
        const ofGroup = calls[group] ?? [];
        return new ChainedSender(key, outputOf(unsigned, index), {
          receivers: [...receivers.slice(turn), ...receivers.slice(0, turn)],
          call: ofGroup[number % ofGroup.length],
          random: seededRandom(groups.length * number + group),
        });
      });
      senders.push(...made);
    }
    return senders;
  };
  const byGroup = await Promise.all(groups.map(fund));
  return byGroup[0]!.flatMap((_, index) => byGroup.map((senders) => senders[index]!));
};
