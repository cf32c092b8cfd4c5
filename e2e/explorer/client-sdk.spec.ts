import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExplorerProvider } from '@alephium/web3';
import { answerDifferences, type OurAnswer } from '../../apps/explorer/test/recorded-answers/compare.js';
import { openRecordedTokens, type RecordedTokens } from '../kit/explorer/recorded-tokens.js';
import { sdkCallOf, sdkOperations } from '../kit/explorer/sdk-operations.js';

const brand = { coinName: 'Alph', coinSymbol: 'ALPH' };
/** Operations that this explorer does not have: prices, log levels, a form that was given up (protocol 08 §5.13, §5.14). */
const absent: readonly ((explorer: ExplorerProvider) => Promise<unknown>)[] = [
  ({ market }) => market.postMarketPrices({ currency: 'usd' }, ['COIN']),
  ({ market }) => market.getMarketPricesSymbolCharts('COIN', { currency: 'usd' }),
  ({ utils }) => utils.putUtilsSanityCheck(),
  ({ utils }) => utils.putUtilsUpdateGlobalLoglevel('INFO'),
  ({ utils }) => utils.putUtilsUpdateLogConfig([]),
  ({ addresses }) =>
    addresses.getAddressesAddressAmountHistoryDeprecated('1', {
      fromTs: 0,
      toTs: 1,
      'interval-type': 'daily' as never,
    }),
];

/** With the names of the coin that the client library knows. */
const branded = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value).replaceAll('"attoCoinAmount":', '"attoAlphAmount":').replaceAll(',COIN,', ',ALPH,'),
  ) as Value;

/** The library gives files and plain numbers as texts. */
const shown = (answer: unknown): OurAnswer =>
  typeof answer === 'string'
    ? { status: 200, text: answer, body: Number(answer) }
    : { status: 200, text: '', body: answer };

/** The public client library, unmodified, against an explorer whose every answer is known. */
describe("the public client library's explorer", () => {
  let tokens: RecordedTokens;
  let explorer: ExplorerProvider;
  /** Names of operations. */
  const called = new Set<string>();
  const statuses: number[] = [];
  beforeAll(async () => {
    tokens = await openRecordedTokens({ brand });
    const direct = new ExplorerProvider(tokens.recorded.url, undefined, async (...request) => {
      const answer = await fetch(...request);
      statuses.push(answer.status);
      return answer;
    });
    explorer = ExplorerProvider.Remote((call) => {
      called.add(`${call.path}.${call.method}`);
      return direct.request(call);
    });
  });
  afterAll(() => tokens?.recorded.close());

  it('gets every recorded answer', async () => {
    const wrong: string[] = [];
    const compared = new Set<string>();
    for (const entry of tokens.entries) {
      const { status } = { ...entry.current, ...entry.expected };
      const call = status === 200 && entry.rawBody === undefined ? sdkCallOf(entry) : undefined;
      if (!call) continue;
      tokens.recorded.explorer.clock.setWallClock(entry.clock);
      const answer = await sdkOperations[call.operation]!(explorer, call.given);
      const found = answerDifferences(branded(entry), shown(answer));
      wrong.push(...found.map((difference) => `${entry.id} ${call.operation}: ${difference}`));
      compared.add(call.operation);
    }
    expect(wrong).toEqual([]);
    expect(Object.keys(sdkOperations).filter((operation) => !compared.has(operation))).toEqual([]);
  });

  it('gets totals that agree with the lists', async () => {
    const { infos, blocks } = explorer;
    const [newest] = await infos.getInfosSupply({ limit: 1 });
    const coins = (atto: string): number => Number(BigInt(atto) / 10n ** 18n);
    const supplies = [
      await infos.getInfosSupplyTotalAlph(),
      await infos.getInfosSupplyReservedAlph(),
      await infos.getInfosSupplyLockedAlph(),
    ];
    expect(supplies.map((text) => Math.floor(Number(text)))).toEqual(
      [newest!.total, newest!.reserved, newest!.locked].map(coins),
    );
    let transactions = 0;
    for (let page = 1; ; page++) {
      const { blocks: list = [] } = await blocks.getBlocks({ page, limit: 100 });
      transactions += list.reduce((sum, { txNumber }) => sum + txNumber, 0);
      if (list.length === 0) break;
    }
    expect(Number(await infos.getInfosTotalTransactions())).toBe(transactions);
  });

  it('is refused with the text of the explorer', async () => {
    const wrong = explorer.addresses.getAddressesAddressBalance('nonsense');
    await expect(wrong).rejects.toThrow(/^\[API Error\] - Invalid value for: path parameter address/);
    const unknown = 'ab'.repeat(32);
    const missing = explorer.transactions.getTransactionsTransactionHash(unknown);
    await expect(missing).rejects.toThrow(`[API Error] - ${unknown} not found`);
  });

  it('gets 404 for what this explorer does not have', async () => {
    for (const call of absent) {
      statuses.length = 0;
      // The library does not look at the status where it expects no body.
      await call(explorer).catch(() => undefined);
      expect(statuses).toEqual([404]);
    }
  });

  it('has no other operations', () => {
    const all = Object.entries(explorer).flatMap(([area, operations]) =>
      typeof operations === 'object' ? Object.keys(operations as object).map((name) => `${area}.${name}`) : [],
    );
    expect(all.length).toBeGreaterThan(40);
    expect(all.filter((name) => !called.has(name))).toEqual([]);
  });
});
