import { chainOfIndex, indexOfChain } from './chains.js';
import { type Headers } from './confirmations.js';
import { type Block, type Chain } from './forms.js';

/** A hash that belongs to a chain. @param number distinguishes blocks of the chain */
export const hashOf = (chain: number, number: number): string =>
  `${number.toString(16).padStart(60, '0')}${chain.toString(16).padStart(4, '0')}`;

/** A block of a test, one second after the one before it unless said otherwise. */
export const madeBlock = (chain: number, height: number, more: Partial<Block> = {}, groups = 4): Block => ({
  hash: hashOf(chain, height + 1),
  timestamp: 1_700_000_000_000 + height * 1_000,
  ...chainOfIndex(chain, groups),
  height,
  txNumber: 1,
  mainChain: true,
  hashRate: '1000',
  deps: [],
  nonce: '',
  version: 0,
  depStateHash: '',
  txsHash: '',
  target: '20ffffff',
  parent: null,
  ...more,
});

const groups = 4;

/** Chains that grow as on a network: each block rests on the newest of its group, and on what the others have mined. */
export class Ledger implements Headers {
  readonly blocks: Block[] = Array.from({ length: groups ** 2 }, (_, chain) =>
    madeBlock(chain, 0, { deps: Array<string>(2 * groups - 1).fill('0'.repeat(64)) }),
  );

  block(hash: string): Promise<Block> {
    return Promise.resolve(this.blocks.find((block) => block.hash === hash)!);
  }

  at(chain: Chain, height: number): Promise<Block | undefined> {
    const index = indexOfChain(chain, groups);
    return Promise.resolve(
      this.blocks.find((block) => indexOfChain(block, groups) === index && block.height === height),
    );
  }

  headOf = (chain: Chain): Block =>
    this.blocks.findLast((block) => indexOfChain(block, groups) === indexOfChain(chain, groups))!;

  mine(from: number, to: number): Block {
    const others = [0, 1, 2, 3].filter((group) => group !== from);
    const deps = [
      ...others.map((group) => this.headOf({ chainFrom: group, chainTo: group })),
      ...[0, 1, 2, 3].map((group) => this.headOf({ chainFrom: from, chainTo: group })),
    ].map(({ hash }) => hash);
    const { height } = this.headOf({ chainFrom: from, chainTo: to });
    const block = madeBlock(from * groups + to, height + 1, { deps, hash: hashOf(from * groups + to, height + 2) });
    this.blocks.push(block);
    return block;
  }
}
