import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type Page } from 'playwright-core';
import { allChainIndexes } from '@shardnode/protocol/primitives';
import { until } from '@shardnode/testing/waiting';
import { openEmbedded, type TestDatabase } from '../../../apps/explorer/test/support/databases.js';
import { type Overrides, TestNetwork } from '../../../apps/group-node/test/support/network.js';
import { openBrowser } from '../chromium.js';
import { TestExplorer } from './embedded-explorer.js';
import { untilHeadsEqual } from './same-as-nodes.js';
import { ShownPage } from './shown-page.js';

export { screens, ShownPage, type Theme, themes } from './shown-page.js';

const accessibilityRules = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of accessibility that depend on the theme. */
export const ofColours = ['color-contrast', 'link-in-text-block'];

/**
 * Rules of accessibility that the page breaks, and where. Code for the browser is text: our types know no browser.
 * @param rules those that are checked; default: all that are in force
 */
export const violations = async (page: Page, rules?: readonly string[]): Promise<unknown> => {
  await page.evaluate(accessibilityRules);
  const options = rules === undefined ? '' : JSON.stringify({ runOnly: { type: 'rule', values: rules } });
  return page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  );
};

/** How many pixels the page is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** A network that mines when it is told to, its explorer, and a browser that shows it. */
export class ShownExplorer extends ShownPage {
  private constructor(
    readonly network: TestNetwork,
    readonly opened: TestDatabase,
    private running: TestExplorer,
    browser: Browser,
  ) {
    super(browser, running.url);
  }

  static async open(overrides: Overrides = {}): Promise<ShownExplorer> {
    const network = await TestNetwork.open({ mining: 'off', ...overrides });
    const opened = await openEmbedded();
    const explorer = await TestExplorer.start({ bus: network.network, database: opened.database });
    await until('the explorer is live', async () => (await explorer.sync()).phase === 'live');
    return new ShownExplorer(network, opened, explorer, await openBrowser());
  }

  async close(): Promise<void> {
    await this.leave();
    await this.browser.close();
    await this.running.stop();
    await this.opened.close();
    await this.network.close();
  }

  get explorer(): TestExplorer {
    return this.running;
  }

  /** Stops the explorer and starts another one at its port. @param meanwhile what happens while there is none */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    const port = Number(new URL(this.running.url).port);
    await this.running.stop();
    await meanwhile();
    this.running = await TestExplorer.start({ bus: this.network.network, database: this.opened.database, port });
  }

  /** Mines a block on each chain. */
  async mineAll(): Promise<void> {
    for (const { from, to } of allChainIndexes(this.network.settings.groups)) await this.network.mine(from, to);
    await this.untilEqual();
  }

  /** Waits until the index has all blocks. */
  untilEqual(): Promise<void> {
    return untilHeadsEqual(this.opened.database, this.network.explorer);
  }
}

/** Begins to add up how far the layout of a page moves by itself. */
export const watchShifts = async (page: Page): Promise<() => Promise<number>> => {
  await page.evaluate(`{
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.shifted += entry.value;
    }).observe({ type: 'layout-shift' });
  }`);
  return () => page.evaluate('globalThis.shifted');
};
