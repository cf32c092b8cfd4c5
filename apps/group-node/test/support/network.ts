import { createInProcessNetwork, type InProcessNetwork } from '@shardnode/core/bus';
import { type ChaosSettings, createChaos } from '@shardnode/testing/chaos';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { createLogger, type Logger, silentLogger } from '@shardnode/core/observability';
import { type GroupClient, groupClient, type SubmitReply, type TransactionStatusReply } from '@shardnode/messages';
import { parseAssetAddress } from '@shardnode/protocol/address';
import { decodeBlock } from '@shardnode/protocol/block';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript, assetLockupScriptCodec } from '@shardnode/protocol/primitives';
import {
  transactionId,
  transactionTemplateCodec,
  unlockScriptCodec,
  unsignedTransactionCodec,
} from '@shardnode/protocol/transaction';
import { type TestKey } from '@shardnode/testing/keys';
import { until } from '@shardnode/testing/waiting';
import { defaultNodeChoices } from '../../src/configuration.js';
import { create, type GroupNodeConfig } from '../../src/service.js';
import { embeddedStores, schemaOf, type TestStores } from './embedded-stores.js';

export { until };

export const coin = 10n ** 18n;

export const minerAddresses: readonly AssetLockupScript[] = [
  '1FsroWmeJPBhcPiUr37pWXdojRBe6jdey9uukEXk1TheA',
  '1CQvSXsmM5BMFKguKDPpNUfw1idiut8UifLtT8748JdHc',
  '193maApeJWrz9GFwWCfa982ccLARVE9Y1WgKSJaUs7UAx',
  '16fZKYPCZJv2TP3FArA9FLUQceTS9U8xVnSjxFG9MBKyY',
].map((address) => parseAssetAddress(address)!);

export type Overrides = Partial<Omit<GroupNodeConfig, 'group' | 'ns'>> & {
  /** Default: the system's. */
  readonly clockOf?: (group: number) => Clock;
  /** Default: none. */
  readonly logger?: Logger;
};

/** Four group-nodes on an in-process bus over one embedded database, and a client that speaks as the gateway does. */
export class TestNetwork {
  private services: ReturnType<typeof create>[] = [];
  bus!: InProcessNetwork;
  client!: GroupClient;
  /** What services called fatal, by group. */
  readonly fatal = new Map<number, Error>();

  constructor(
    private stores: TestStores,
    private readonly overrides: Overrides,
    readonly settings: NetworkSettings = developmentNetwork,
  ) {}

  static async open(overrides: Overrides = {}): Promise<TestNetwork> {
    const network = new TestNetwork(await embeddedStores(), overrides);
    await network.start();
    return network;
  }

  async start(): Promise<void> {
    this.bus = createInProcessNetwork({ clock: systemClock });
    this.services = Array.from({ length: this.settings.groups }, (_, group) => this.service(group));
    for (const service of this.services) await service.start();
    const { bus } = await this.bus.join({ sender: { service: 'gateway' }, logger: silentLogger });
    this.client = groupClient(bus, { ns: 'test', groups: this.settings.groups });
    await this.synced();
  }

  async stop(): Promise<void> {
    for (const service of this.services) await service.stop();
    await this.bus.close();
  }

  async stopGroup(group: number): Promise<void> {
    await this.services[group]!.stop();
  }

  async startGroup(group: number, overrides: Overrides = {}): Promise<void> {
    this.services[group] = this.service(group, overrides);
    await this.services[group].start();
  }

  async restart(): Promise<void> {
    await this.stop();
    this.stores = await this.stores.reopen();
    await this.start();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.stores.remove();
  }

  setChaos(chaos: ChaosSettings | undefined): void {
    this.bus.setFaults(chaos && createChaos(chaos));
  }

  async synced(): Promise<void> {
    await until('all nodes are synced', async () => {
      const states = await Promise.all(this.groups.map((group) => this.client.request(group, 'read.node.status', {})));
      return states.every(({ synced }) => synced);
    });
  }

  get groups(): readonly number[] {
    return this.services.map((_, group) => group);
  }

  /** Builds, signs and submits a transfer of one key. Amounts in attoCoin. */
  async transfer(
    from: TestKey,
    to: readonly { readonly key: TestKey; readonly amount: bigint }[],
  ): Promise<SubmitReply> {
    const template = await this.signedTransfer(from, to);
    return this.client.request(from.group, 'command.mempool.submit', { template });
  }

  async signedTransfer(
    from: TestKey,
    to: readonly { readonly key: TestKey; readonly amount: bigint }[],
    ask: Pick<GroupClient, 'request'>['request'] = (group, name, payload) => this.client.request(group, name, payload),
  ): Promise<Uint8Array> {
    const built = await ask(from.group, 'read.building.transfer', {
      lockupScript: lockupHex(from.lockupScript),
      unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey: from.publicKey })),
      destinations: to.map(({ key, amount }) => ({
        lockupScript: lockupHex(key.lockupScript),
        amount: amount.toString(),
        tokens: [],
      })),
      gasFormula: 'document',
    });
    const unsigned = decode(unsignedTransactionCodec, built.unsignedTx);
    const signature = sign(hexToBytes(transactionId(unsigned)), from.privateKey);
    return encode(transactionTemplateCodec, { unsigned, inputSignatures: [signature], scriptSignatures: [] });
  }

  status(group: number, txId: string): Promise<TransactionStatusReply> {
    return this.client.request(group, 'read.transaction.status', { txId });
  }

  async balance(key: Pick<TestKey, 'group' | 'lockupScript'>, mempool = true): Promise<bigint> {
    const reply = await this.client.request(key.group, 'read.address.balance', {
      lockupScript: lockupHex(key.lockupScript),
      mempool,
    });
    return BigInt(reply.balance);
  }

  mine(from: number, to: number): Promise<{ readonly blockHash: string }> {
    return this.client.request(from, 'command.mining.mine-one', { from, to });
  }

  /** What the canonical blocks of all chains created and burned. */
  async ledger(): Promise<{ readonly blocks: number; readonly rewards: bigint; readonly fees: bigint }> {
    let [blocks, rewards, fees] = [0, 0n, 0n];
    for (const group of this.groups) {
      const toTs = Date.now() + 60_000;
      const { chains } = await this.client.request(group, 'read.chain.blocks', { fromTs: 1_600_000_000_000, toTs });
      for (const { block } of chains.flatMap((chain) => chain.blocks)) {
        const transactions = decodeBlock(block, this.settings.groups).transactions;
        const coinbase = transactions.at(-1)!;
        blocks += 1;
        rewards += coinbase.unsigned.fixedOutputs[0]!.amount;
        for (const { unsigned } of transactions.slice(0, -1)) fees += BigInt(unsigned.gasAmount) * unsigned.gasPrice;
      }
    }
    return { blocks, rewards, fees };
  }

  async store(group: number) {
    return this.stores.store(group);
  }

  private service(group: number, overrides: Overrides = {}): ReturnType<typeof create> {
    const debugging = process.env['TEST_LOG'] ? createLogger({ level: 'debug' }) : silentLogger;
    const logger = this.overrides.logger ?? debugging;
    const config: GroupNodeConfig = {
      ns: 'test',
      settings: this.settings,
      host: '127.0.0.1',
      port: 0,
      ...defaultNodeChoices,
      heartbeat: 0,
      minerAddresses,
      ...this.overrides,
      ...overrides,
      group,
    };
    const clock = this.overrides.clockOf?.(group) ?? systemClock;
    const database = this.stores.host.service(schemaOf(group));
    const onFatal = (error: Error): void => void this.fatal.set(group, error);
    return create(config, { network: this.bus, database, clock, logger, onFatal });
  }
}

export const lockupHex = (script: AssetLockupScript): string => bytesToHex(encode(assetLockupScriptCodec, script));
