import { expect } from '@jest/globals';
import { type Page } from 'playwright-core';
import { developmentKeys, type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { until } from '@shardnode/testing/waiting';
import { type TestNetwork } from '../../../apps/group-node/test/support/network.js';
import { type ContractBlocks, contractBlocks } from './contract-blocks.js';
import { type TestExplorer } from './embedded-explorer.js';
import { ofColours, overflow, screens, ShownExplorer, violations } from './page-kit.js';

/** Pages of transactions of a network with contracts, in a browser. */
export class ShownTransactions {
  /** Keys of each group that nothing was paid to before. */
  private readonly freshKeys = new Map<number, TestKey[]>();

  private constructor(
    readonly shown: ShownExplorer,
    readonly keys: readonly TestKey[],
    readonly contracts: ContractBlocks,
  ) {}

  static async open(): Promise<ShownTransactions> {
    const shown = await ShownExplorer.open();
    const keys = await developmentKeys();
    const opened = new ShownTransactions(shown, keys, contractBlocks(keys[0]!));
    for (const { raw } of opened.contracts.blocks) await opened.submit(0, raw);
    await shown.untilEqual();
    return opened;
  }

  close(): Promise<void> {
    return this.shown.close();
  }

  get network(): TestNetwork {
    return this.shown.network;
  }

  get explorer(): TestExplorer {
    return this.shown.explorer;
  }

  get page(): Page {
    return this.shown.page;
  }

  freshKey(group: number): TestKey {
    const left = this.freshKeys.get(group) ?? testKeysOfGroup(group, 12).slice(4);
    this.freshKeys.set(group, left);
    return left.pop()!;
  }

  async submit(group: number, block: Uint8Array): Promise<void> {
    await this.network.client.request(group, 'command.block.submit', { block });
  }

  /** Opens the page of a transaction, as soon as the explorer has it. */
  async show(txId: string): Promise<void> {
    await until(
      'the explorer has it',
      async () => (await this.explorer.get<{ hash?: string }>(`/transactions/${txId}`)).hash === txId,
    );
    await this.shown.open(`/tx/${txId}`);
    await this.shown.live();
    await this.page.waitForSelector('.flow svg');
  }

  strands(kind: string): Promise<number> {
    return this.page.locator(`.flow .strand.${kind}`).count();
  }

  state(): Promise<string | null> {
    return this.page.textContent('.subject .state');
  }

  /** Each of these pages breaks no rule of accessibility, in both themes, and is nowhere wider than the window. */
  async keepRules(txIds: Readonly<Record<string, string>>): Promise<void> {
    for (const [kind, txId] of Object.entries(txIds)) {
      await this.show(txId);
      const { page } = this;
      await page.waitForSelector('.across svg, .across-inside');
      expect([kind, await violations(page)]).toEqual([kind, []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([kind, 'dark', await violations(page, ofColours)]).toEqual([kind, 'dark', []]);
      for (const size of [screens.phone, screens.narrowest]) {
        await page.setViewportSize(size);
        expect([kind, size.width, await overflow(page)]).toEqual([kind, size.width, 0]);
        expect([kind, size.width, await violations(page)]).toEqual([kind, size.width, []]);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(screens.wide);
    }
  }
}
