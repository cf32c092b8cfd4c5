import { setTimeout as pause } from 'node:timers/promises';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { maximalGasPerTx, minGasPrice } from '@shardnode/protocol/primitives';
import { type StatefulScript, u256Constant } from '@shardnode/protocol/script';
import { unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import {
  assetOutput,
  buildSignedTransfer,
  instruction,
  methodOf,
  type SpendableOutput,
} from '@shardnode/testing/builders';
import { type TestKey } from '@shardnode/testing/keys';
import { apiClient, type ApiClient } from '../api-client.js';
import { type UtxosForm } from '../api-forms.js';
import { type Network } from '../network.js';
import { oneCoin } from '../transfers.js';

/** Multiplies until all the gas is used that a transaction may have: more than 10 ms. */
const longAndFailing: StatefulScript = {
  methods: [
    methodOf(
      [
        u256Constant(2n ** 256n - 1n),
        instruction('StoreLocal', 0),
        ...Array.from({ length: 100 }, () => [
          instruction('LoadLocal', 0),
          instruction('LoadLocal', 0),
          instruction('U256ModMul'),
          instruction('Pop'),
        ]).flat(),
        instruction('Jump', -401),
      ],
      { localsLength: 1 },
    ),
  ],
};

const spendableOf = async (api: ApiClient, { address, lockupScript }: TestKey): Promise<SpendableOutput> => {
  const { utxos } = await api.get<UtxosForm>(`/addresses/${address}/utxos`);
  const { ref, amount } = utxos[0]!;
  return { reference: ref, output: assetOutput(lockupScript, BigInt(amount)) };
};

/**
 * Senders whose scripts fail, each with an output of its own and one request at a time. Every transaction is new: the
 * price of gas differs. They do not wait when they are told to.
 */
export class FailingScripts {
  /** Responses by status and error code. */
  readonly answers = new Map<string, number>();
  private isOver = false;
  private running: Promise<void>[] = [];

  private constructor(
    private readonly apis: readonly ApiClient[],
    private readonly keys: readonly TestKey[],
    private readonly outputs: readonly SpendableOutput[],
  ) {}

  /** `keys` have one output each. `addresses`: those of the machine from which they send, in rotation. */
  static async prepare(
    { api, deployment }: Network,
    keys: readonly TestKey[],
    addresses: readonly string[],
  ): Promise<FailingScripts> {
    const outputs: SpendableOutput[] = [];
    for (const key of keys) outputs.push(await spendableOf(api, key));
    const apis = addresses.map((address) => apiClient(() => deployment.baseUrl, keys.length, {}, address));
    return new FailingScripts(apis, keys, outputs);
  }

  begin(): void {
    this.running = this.keys.map((_key, index) => this.send(index));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.running);
    for (const api of this.apis) api.close();
  }

  private async send(index: number): Promise<void> {
    const api = this.apis[index % this.apis.length]!;
    for (let round = 0; !this.isOver; round++) {
      const answer = await api
        .send('POST', '/transactions/submit', { body: this.transaction(index, round) })
        .catch(() => undefined);
      const name = answer === undefined ? 'gone' : `${answer.status} ${String(answer.headers['x-error-code'] ?? '')}`;
      this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
      // A broken connection must not become a loop of connections.
      if (answer === undefined) await pause(100);
    }
  }

  private transaction(index: number, round: number): { readonly unsignedTx: string; readonly signature: string } {
    const from = this.keys[index]!;
    const { unsigned, inputSignatures } = buildSignedTransfer({
      settings: developmentNetwork,
      from,
      spend: [this.outputs[index]!],
      outputs: [assetOutput(from.lockupScript, oneCoin)],
      script: longAndFailing,
      gasAmount: maximalGasPerTx,
      gasPrice: minGasPrice + BigInt(round),
    });
    return {
      unsignedTx: bytesToHex(encode(unsignedTransactionCodec, unsigned)),
      signature: bytesToHex(inputSignatures[0]!),
    };
  }
}
