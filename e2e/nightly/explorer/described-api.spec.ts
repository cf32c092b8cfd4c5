import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPI3 } from 'openapi-typescript';
import { recordedValues } from '../../kit/explorer/recorded-values.js';
import { openRecordedTokens, type RecordedTokens } from '../../kit/explorer/recorded-tokens.js';
import { type ApiDocument } from '../../kit/fuzz/described-api.js';
import { FuzzRequests } from '../../kit/fuzz/fuzz-requests.js';
import { FuzzRun } from '../../kit/fuzz/fuzz-run.js';
import { exampleValues, GoodValues } from '../../kit/fuzz/good-values.js';
import { Judge } from '../../kit/fuzz/judge.js';
import { RawClient } from '../../kit/fuzz/raw-client.js';
import { isLong } from '../../kit/network.js';
import { StrictClient } from '../../kit/generated-client/strict-client.js';
import { type AccountStatement } from '../../generated-explorer-client/statement-form.js';

const seed = Number(process.env['SEED'] ?? 2026);
const count = Number(process.env['REQUESTS'] ?? (isLong ? 100_000 : 3_000));
const connections = 8;
const timeoutMs = 20_000;
const sources = fileURLToPath(new URL('../../generated-explorer-client', import.meta.url));

/** No script of these requests has failed in a block. */
const neverDone = ['GET /transactions/{transaction_hash}/script-failure'];

describe('the described API of the explorer', () => {
  let tokens: RecordedTokens;
  let description: OpenAPI3;
  beforeAll(async () => {
    tokens = await openRecordedTokens();
    description = (await (await fetch(`${tokens.recorded.url}/docs/openapi.json`)).json()) as OpenAPI3;
  });
  afterAll(() => tokens?.recorded.close());

  /** The parameter of the path of the first recorded request like this that has a fitting answer. */
  const recordedOf = <Answer>(path: RegExp, fits: (answer: Answer) => boolean): string => {
    const found = tokens.entries.find((entry) => path.test(entry.path) && fits(entry.current.body as Answer));
    return path.exec(found!.path)![1]!;
  };

  describe('a client generated from it', () => {
    let client: StrictClient;
    beforeAll(async () => {
      client = await StrictClient.generate(description, sources, 'account-statement.ts');
    });
    afterAll(() => client?.remove());

    it('compiles under strict', () => {
      expect(client.compile()).toEqual([]);
    });

    it('makes the statement of an account', async () => {
      const address = recordedOf<{ tokenId: string }[]>(
        /^\/addresses\/(\w+)\/tokens-balance$/,
        (answer) => answer.length > 1,
      );
      const contract = recordedOf<{ destruction: null; parent: string | null }>(
        /^\/contracts\/(\w+)\/current-liveness$/,
        ({ destruction, parent }) => destruction === null && parent !== null,
      );
      const { accountStatement } = await client.load<{
        accountStatement(url: string, address: string, contract: string): Promise<AccountStatement>;
      }>();
      const statement = await accountStatement(tokens.recorded.url, address, contract);
      expect(statement).toEqual({
        ...statement,
        computedBalance: statement.balance,
        transactions: statement.txNumber,
        exported: statement.txNumber,
        chains: 16,
        refusal: 'Invalid value for: path parameter block_hash (expected 64 hexadecimal digits: nonsense)',
      });
      expect(BigInt(statement.balance)).toBeGreaterThan(0n);
      expect(statement.transactions).toBeGreaterThan(3);
      expect(statement.symbols.length).toBeGreaterThan(0);
      expect(statement.stateFields.length).toBeGreaterThan(0);
    });
  });

  it(
    `answers ${count} requests that are made from it, seed ${seed}`,
    async () => {
      const document = description as unknown as ApiDocument;
      const values = new GoodValues(document, exampleValues(document, recordedValues(document, tokens.entries)), seed);
      const client = new RawClient(tokens.recorded.url, connections, timeoutMs);
      const run = new FuzzRun({
        requests: new FuzzRequests(values, { seed, count }),
        judge: new Judge(document),
        seed,
        connections,
        send: (request) => client.send(request),
      });
      await run.send(0, count);
      client.close();
      expect(run.findings()).toEqual([]);
      expect(run.without200(document).filter((name) => !neverDone.includes(name))).toEqual([]);
    },
    isLong ? 3_600_000 : 300_000,
  );
});
