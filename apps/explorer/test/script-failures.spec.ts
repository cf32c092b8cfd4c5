import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { coreError } from '@shardnode/core/errors';
import { type GroupClient, type ScriptFailure } from '@shardnode/messages';
import { transactionId } from '@shardnode/protocol/transaction';
import { type DevelopmentTools } from '../src/index.js';
import { Blocks } from './support/made-blocks.js';
import { type Explorer, openExplorer } from './support/open-explorer.js';

const groups = 4;
const codeHash = '12'.repeat(32);
const reason = 'It has 3 {COIN} and needs 5 {COIN}';
const facts = {
  failure: 'NotEnoughApprovedBalance',
  failedContract: 'contract',
  failedInstruction: 'ApproveCoin, method 0, instruction 2',
  failedCode: codeHash,
  failedMethod: 0,
  assertionCode: '7',
};

describe('why the script of a transaction failed', () => {
  let explorer: Explorer;
  let reply: () => Promise<{ readonly failure: ScriptFailure | null }>;
  let asked: unknown[] = [];
  /** Ids of transactions of a block of chain (1,1). */
  let blockHash: string;
  let failed: readonly string[];
  let succeeded: string;
  const groupNodes = {
    groups,
    request: (group: number, name: string, payload: object) => {
      asked.push([group, name, payload]);
      return reply();
    },
  } as unknown as GroupClient;
  const tools = {
    accounts: [],
    failureNames: ({ failedCode }: ScriptFailure['facts']) =>
      failedCode === codeHash ? { failedFunction: 'Vault.close', assertionName: 'Errors.Locked' } : {},
  } as unknown as DevelopmentTools;

  beforeAll(async () => {
    explorer = await openExplorer(groups, undefined, {}, groupNodes, tools);
    const blocks = new Blocks({ timestampOf: (n) => 1_700_000_000_000 + n * 1_000 });
    await explorer.index.apply(blocks.genesis);
    const { block } = blocks.next(5);
    await explorer.index.apply([{ height: 1, block, events: [] }]);
    blockHash = block.header.hash;
    const ids = block.transactions.map(({ unsigned }) => transactionId(unsigned));
    failed = ids.slice(0, 2);
    succeeded = ids[2]!;
    for (const id of failed)
      await explorer.database.query(
        'mark-failed',
        `UPDATE ${explorer.database.schema}.transactions SET script_execution_ok = false WHERE hash = $1`,
        [Buffer.from(id, 'hex')],
      );
  });
  beforeEach(() => void (asked = []));
  afterAll(() => explorer.close());

  const ask = async (txId: string) => {
    const answer = await fetch(`http://127.0.0.1:${explorer.api.port}/transactions/${txId}/script-failure`);
    return { status: answer.status, body: (await answer.json()) as unknown };
  };

  it('is not known while the group-node is away, or has no state before the block', async () => {
    reply = () => Promise.reject(coreError('NoResponder', 'away'));
    expect((await ask(failed[0]!)).status).toBe(503);
    reply = () => Promise.resolve({ failure: null });
    expect(await ask(failed[0]!)).toEqual({ status: 200, body: { reason: null } });
  });

  it('is asked of the group-node of its chain once, and told with the names of the source', async () => {
    reply = () => Promise.resolve({ failure: { reason, facts } });
    const expected = {
      status: 200,
      body: {
        reason: 'It has 3 COIN and needs 5 COIN',
        contract: 'contract',
        place: 'ApproveCoin, method 0, instruction 2',
        failedFunction: 'Vault.close',
        assertionCode: '7',
        assertionName: 'Errors.Locked',
      },
    };
    expect(await ask(failed[0]!)).toEqual(expected);
    expect(await ask(failed[0]!)).toEqual(expected);
    expect(await ask(failed[1]!)).toEqual(expected);
    expect(asked).toEqual(failed.map((txId) => [1, 'read.transaction.failure', { blockHash, txId }]));
  });

  it('is not asked of a transaction that did not fail, nor of one that nobody knows', async () => {
    for (const txId of [succeeded, 'ab'.repeat(32)]) expect((await ask(txId)).status).toBe(404);
    expect(asked).toEqual([]);
  });
});
