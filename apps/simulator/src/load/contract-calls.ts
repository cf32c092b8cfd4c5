import { hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type TestKey } from '@shardnode/testing/keys';
import { callMethod, sampleBytecode, scriptHex, scriptOf, u256 } from '@shardnode/testing/sample-contracts';
import { senderOf, signed } from './access.js';
import { type CarefulClient } from './careful-client.js';
import { type LoadParts, RepeatedLoad } from './repeated-load.js';
import { type Sender } from './sender.js';

/** Bound of the virtual milliseconds between two calls of a caller. */
const longestPause = 6_000;

/** The one contract that the callers of a group share. */
export interface SharedContract {
  id: Hash | undefined;
}

/** A key that deploys a counter, and calls its own and the one shared by its group. */
export class ContractLoad extends RepeatedLoad {
  private own: Hash | undefined;
  calls = 0;

  constructor(
    private readonly client: CarefulClient,
    private readonly sender: Sender,
    private readonly key: TestKey,
    private readonly shared: SharedContract,
    parts: LoadParts,
  ) {
    super(parts, longestPause);
  }

  protected override async prepare(): Promise<void> {
    this.own = await this.triedScript(() => this.deploy());
    this.shared.id ??= this.own;
  }

  protected async act(): Promise<void> {
    const id = this.parts.random() < 0.5 ? this.own : this.shared.id;
    if (id !== undefined) await this.triedScript(() => this.call(id));
  }

  /** A node that has just started may not show a contract with a confirmed deployment for a moment. */
  private triedScript<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
    return this.tried(`a script of ${this.key.address} was not built`, run, () => true);
  }

  private async deploy(): Promise<Hash | undefined> {
    const { key, sender, client } = this;
    const built = await client.ask(key.group, 'read.building.deploy-contract', {
      ...senderOf(key),
      bytecode: hexToBytes(sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)])),
      initialTokens: [],
    });
    const entry = await sender.submit(signed(built, key));
    return entry && (await sender.wait(entry)) === 'confirmed' ? built.contractId : undefined;
  }

  private async call(id: Hash): Promise<void> {
    const { key, sender, client } = this;
    const amount = 1 + Math.floor(this.parts.random() * 100);
    const built = await client.ask(key.group, 'read.building.execute-script', {
      ...senderOf(key),
      script: hexToBytes(scriptHex(scriptOf(callMethod(id, 0, [u256(amount)], 1), 'without assets'))),
      tokens: [],
    });
    const entry = await sender.submit(signed(built, key), true);
    if (entry && (await sender.wait(entry)) === 'confirmed') this.calls += 1;
  }
}
