import { type BusNetwork, createInProcessNetwork, type InProcessNetwork } from '@shardnode/core/bus';
import { type ChaosSettings, createChaos } from '@shardnode/testing/chaos';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { createLogger, type Logger, silentLogger } from '@shardnode/core/observability';
import {
  contractAddressOf,
  type GroupClient,
  groupClient,
  type SubmitReply,
  type TransactionStatusReply,
} from '@shardnode/messages';
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
import { permittedClient } from '@shardnode/testing/permitted-client';
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
  /** Called with the point's name by the group-node of `group`. */
  readonly crashPoint?: (name: string, group: number) => void;
  /** Default: a bus in this process. */
  readonly openBus?: () => BusNetwork;
};

/** What a key gets: attoCoin, and tokens in their smallest units. */
export interface Payment {
  readonly key: TestKey;
  readonly amount: bigint;
  readonly tokens?: readonly { readonly id: string; readonly amount: string }[];
}

/** Four group-nodes on an in-process bus over one embedded database, and a client that speaks as the gateway does. */
export class TestNetwork {
  private services: ReturnType<typeof create>[] = [];
  bus!: InProcessNetwork;
  /** The bus of all members. */
  network!: BusNetwork;
  client!: GroupClient;
  /** A client that speaks as a follower of the feed does. */
  explorer!: GroupClient;
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
    this.network = this.overrides.openBus?.() ?? this.bus;
    this.services = Array.from({ length: this.settings.groups }, (_, group) => this.service(group));
    for (const service of this.services) await service.start();
    this.client = await permittedClient(this.network, { ns: 'test', groups: this.settings.groups });
    const follower = await this.network.join({ sender: { service: 'explorer' }, logger: silentLogger });
    this.explorer = groupClient(follower.bus, { ns: 'test', groups: this.settings.groups });
    await this.synced();
  }

  async stop(): Promise<void> {
    for (const service of this.services) await service.stop();
    await this.network.close();
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

  /** Puts an empty database in the place of that of a stopped group. */
  async wipe(group: number): Promise<void> {
    const schema = schemaOf(group);
    await this.stores.host.service(schema).script(`DROP SCHEMA ${schema} CASCADE; CREATE SCHEMA ${schema}`);
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

  /** Builds, signs and submits a transfer of one key. */
  async transfer(from: TestKey, to: readonly Payment[]): Promise<SubmitReply> {
    const template = await this.signedTransfer(from, to);
    return this.client.request(from.group, 'command.mempool.submit', { template });
  }

  async signedTransfer(
    from: TestKey,
    to: readonly Payment[],
    ask: Pick<GroupClient, 'request'>['request'] = (group, name, payload) => this.client.request(group, name, payload),
  ): Promise<Uint8Array> {
    const built = await ask(from.group, 'read.building.transfer', {
      lockupScript: lockupHex(from.lockupScript),
      unlockScript: unlockHex(from),
      destinations: to.map(({ key, amount, tokens = [] }) => ({
        lockupScript: lockupHex(key.lockupScript),
        amount: amount.toString(),
        tokens,
      })),
      gasFormula: 'document',
    });
    return signedTemplate(built.unsignedTx, from);
  }

  /**
   * Builds, signs and submits the creation of a contract. `bytecode`: its code and fields (protocol 07 §10.2).
   * `issued`: units of its token that the sender gets.
   */
  async deploy(
    from: TestKey,
    bytecode: Uint8Array,
    issued?: bigint,
  ): Promise<{ readonly address: string; readonly contractId: string; readonly txId: string }> {
    const { unsignedTx, contractId } = await this.client.request(from.group, 'read.building.deploy-contract', {
      lockupScript: lockupHex(from.lockupScript),
      unlockScript: unlockHex(from),
      bytecode,
      initialTokens: [],
      ...(issued !== undefined && {
        issueTokenAmount: issued.toString(),
        issueTokenTo: lockupHex(from.lockupScript),
      }),
    });
    const template = signedTemplate(unsignedTx, from);
    const { txId } = await this.client.request(from.group, 'command.mempool.submit', { template });
    return { address: contractAddressOf(contractId), contractId, txId };
  }

  /** Joins all outputs of a key, by one transaction. */
  async sweep(from: TestKey): Promise<SubmitReply> {
    const { transactions } = await this.client.request(from.group, 'read.building.sweep', {
      lockupScript: lockupHex(from.lockupScript),
      unlockScript: unlockHex(from),
      destination: lockupHex(from.lockupScript),
    });
    const template = signedTemplate(transactions[0]!.unsignedTx, from);
    return this.client.request(from.group, 'command.mempool.submit', { template });
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

  /** The same, and waits until all nodes have the block: what they mine next takes it in. */
  async mineForAll(from: number, to: number): Promise<{ readonly blockHash: string }> {
    const { blockHash } = await this.mine(from, to);
    const has = async (group: number): Promise<boolean> =>
      this.client.request(group, 'read.chain.header', { hash: blockHash }).then(
        () => true,
        () => false,
      );
    await until('all nodes have the block', async () => (await Promise.all(this.groups.map(has))).every(Boolean));
    return { blockHash };
  }

  /**
   * Counts the money: what the keys and the miners hold, and what the canonical blocks of all chains created and burned.
   * From here on no group mines by itself, so that no block comes between the readings.
   */
  async countMoney(
    keys: readonly TestKey[],
  ): Promise<{ readonly held: bigint; readonly created: bigint; readonly burned: bigint }> {
    for (const group of this.groups) await this.stopGroup(group);
    for (const group of this.groups) await this.startGroup(group, { mining: 'off' });
    await this.synced();
    // Twice: the second of each group includes the first of the others, and what they sent.
    for (let round = 0; round < 2; round++) for (const group of this.groups) await this.mineForAll(group, group);
    let held = 0n;
    const miners = minerAddresses.map((lockupScript, group) => ({ lockupScript, group }));
    for (const owner of [...keys, ...miners]) held += await this.balance(owner);
    let [created, burned] = [0n, 0n];
    for (const group of this.groups) {
      const toTs = Date.now() + 60_000;
      const { chains } = await this.client.request(group, 'read.chain.blocks', { fromTs: 1_600_000_000_000, toTs });
      for (const { block } of chains.flatMap((chain) => chain.blocks)) {
        const transactions = decodeBlock(block, this.settings.groups).transactions;
        created += transactions.at(-1)!.unsigned.fixedOutputs[0]!.amount;
        for (const { unsigned } of transactions.slice(0, -1)) burned += BigInt(unsigned.gasAmount) * unsigned.gasPrice;
      }
    }
    return { held, created, burned };
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
    return create(config, {
      network: this.network,
      database,
      clock,
      logger,
      onFatal,
      crashPoint: (name) => this.overrides.crashPoint?.(name, group),
    });
  }
}

export const lockupHex = (script: AssetLockupScript): string => bytesToHex(encode(assetLockupScriptCodec, script));
const unlockHex = ({ publicKey }: TestKey): string =>
  bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey }));

const signedTemplate = (unsignedTx: Uint8Array, { privateKey }: TestKey): Uint8Array => {
  const unsigned = decode(unsignedTransactionCodec, unsignedTx);
  const signature = sign(hexToBytes(transactionId(unsigned)), privateKey);
  return encode(transactionTemplateCodec, { unsigned, inputSignatures: [signature], scriptSignatures: [] });
};
