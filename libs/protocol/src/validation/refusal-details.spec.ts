import { describe, expect, it } from '@jest/globals';
import { refusedTransactions } from '@shardnode/testing/refused-transactions';
import { type Refusal, refusalReason } from './index.js';

describe('what a refused transaction is told', () => {
  it.each(refusedTransactions().map((one) => [`${one.code}: ${one.reason}`, one] as const))(
    '%s',
    (_, { code, judge, reason }) => {
      const verdict = judge() as Refusal;
      expect([verdict.code, refusalReason(verdict)]).toEqual([code, reason]);
    },
  );

  it('a lock has its owner and its end as facts', () => {
    const { judge } = refusedTransactions().find(({ code }) => code === 'TimeLockedTx')!;
    expect(judge()?.facts).toEqual({ input: 2, address: expect.stringMatching(/^1/), lockTime: '1700000000001' });
  });
});
