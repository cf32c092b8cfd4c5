import { describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { dispositionOf, type ExportedTransaction, headerLine, linesOf } from './transaction-lines.js';

interface Vectors {
  csvLine: { address: string; header: string; transaction: ExportedTransaction; line: string };
  csvFileName: { address: string; fromTs: number; toTs: number; contentDisposition: string };
}
const vectors = readVectors<Vectors & Record<string, unknown>>('explorer-examples.json');

const token = 'ab'.repeat(32);
const other = 'cd'.repeat(32);

describe('lines of exported files', () => {
  it('csvLine', () => {
    const { address, header, transaction, line } = vectors.csvLine;
    expect(headerLine).toBe(header);
    expect(linesOf(transaction, { address, coinSymbol: 'COIN', units: new Map() })).toBe(line);
  });

  it('csvFileName', () => {
    const { address, fromTs, toTs, contentDisposition } = vectors.csvFileName;
    expect(dispositionOf(address, BigInt(fromTs), BigInt(toTs))).toBe(contentDisposition);
  });

  const lines = (symbol: string, decimals: bigint): string[] => {
    const transaction: ExportedTransaction = {
      hash: 'ef'.repeat(32),
      timestamp: 1_700_000_000_123,
      inputs: [{ address: 'A', attoCoinAmount: '5', tokens: [{ id: token, amount: '1500' }] }, { address: 'B' }],
      outputs: [
        { address: 'C', attoCoinAmount: '1', tokens: [{ id: token, amount: '1000' }] },
        {
          address: 'A',
          attoCoinAmount: '3',
          tokens: [
            { id: token, amount: '500' },
            { id: other, amount: '7' },
          ],
        },
      ],
    };
    const units = new Map([[token, { symbol, decimals }]]);
    return linesOf(transaction, { address: 'A', coinSymbol: 'COIN', units }).split('\n');
  };

  it('show tokens that changed, between the addresses that hold them', () => {
    expect(lines('USD', 3n)).toEqual([
      `2023-11-14T22:13:20.123Z,-0.000000000000000002,COIN,${'ef'.repeat(32)},A-B,C`,
      `2023-11-14T22:13:20.123Z,-1,USD,${'ef'.repeat(32)},A,C`,
      `2023-11-14T22:13:20.123Z,7,${other},${'ef'.repeat(32)},,A`,
      '',
    ]);
  });

  it.each([
    ['=SUM(A1)', "'=SUM(A1)"],
    ['@x', "'@x"],
    ['a,b', '"a,b"'],
    ['"', '""""'],
    ['-"1', `"'-""1"`],
    ['a\nb', undefined],
  ])('write the symbol %j as text', (symbol, written) => {
    const line = lines(symbol, 3n).slice(1).join('\n');
    expect(line.startsWith(`2023-11-14T22:13:20.123Z,-1,${written ?? `"${symbol}"`},`)).toBe(true);
  });

  it('show the smallest unit of a token with absurd decimals', () => {
    expect(lines('USD', 2n ** 255n)[1]).toContain(',-1000,smallest unit of USD,');
    expect(lines('USD', 0n)[1]).toContain(',-1000,USD,');
  });
});
