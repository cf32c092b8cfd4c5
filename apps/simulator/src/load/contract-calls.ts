import { hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type TestKey } from '@shardnode/testing/keys';
import { callMethod, sampleBytecode, scriptHex, scriptOf, u256 } from '@shardnode/testing/sample-contracts';
import { type VirtualTime } from '../virtual-time/index.js';
import { isRefusal } from './careful-client.js';
import { type Sender, senderOf, signed, textOf } from './sender.js';
import { type SentTransactions } from './sent-transactions.js';

/** Virtual milliseconds between two calls of a caller, at most. */
const longestPause = 6_000;

/** Where the callers of a group find the one contract that they share. */
export interface SharedContract {
  id: Hash | undefined;
}

/** One key that deploys a counter, and calls its own and the one that all of its group share. */
export class ContractLoad {
  private resting = false;
  calls = 0;

  constructor(
    private readonly sender: Sender,
    private readonly key: TestKey,
    private readonly shared: SharedContract,
    private readonly sent: SentTransactions,
    private readonly time: VirtualTime,
    private readonly random: () => number,
  ) {}

  rest(): void {
    this.resting = true;
  }

  async run(): Promise<void> {
    const own = await this.tried(() => this.deploy());
    this.shared.id ??= own;
    while (!this.resting) {
      await this.time.sleep(this.random() * longestPause);
      const id = this.random() < 0.5 ? own : this.shared.id;
      if (id !== undefined) await this.tried(() => this.call(id));
    }
  }

  private async tried<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await run();
    } catch (error) {
      // A contract whose deployment is confirmed may not be shown for a moment by a node that has just started.
      if (!isRefusal(error)) this.sent.defects.push(`a script of ${this.key.address} was not built: ${textOf(error)}`);
      return undefined;
    }
  }

  private async deploy(): Promise<Hash | undefined> {
    const { key, sender } = this;
    const built = await sender.client.ask(key.group, 'read.building.deploy-contract', {
      ...senderOf(key),
      bytecode: hexToBytes(sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)])),
      initialTokens: [],
    });
    const entry = await sender.submit(signed(built, key));
    return entry && (await sender.wait(entry)) === 'confirmed' ? built.contractId : undefined;
  }

  private async call(id: Hash): Promise<void> {
    const { key, sender } = this;
    const amount = 1 + Math.floor(this.random() * 100);
    const built = await sender.client.ask(key.group, 'read.building.execute-script', {
      ...senderOf(key),
      script: hexToBytes(scriptHex(scriptOf(callMethod(id, 0, [u256(amount)], 1), 'without assets'))),
      tokens: [],
    });
    const entry = await sender.submit(signed(built, key), true);
    if (entry && (await sender.wait(entry)) === 'confirmed') this.calls += 1;
  }
}
