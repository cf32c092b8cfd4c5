import { seededRandom } from '../seeded-random/index.js';

/** Random choices of one program, determined by the seed of the run and the number of the program. */
export class FuzzRandom {
  private readonly next: () => number;

  constructor(seed: number, index: number) {
    this.next = seededRandom(Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca6b));
  }

  /** A whole number 0 <= x < `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }

  /** 0 <= x < 2^256, often small or near a power of two. */
  u256(): bigint {
    const bits = BigInt(this.below(257));
    switch (this.below(4)) {
      case 0:
        return BigInt(this.below(6));
      case 1:
        return BigInt(this.below(2 ** 20));
      case 2:
        return BigInt.asUintN(256, (1n << bits) + BigInt(this.below(3)) - 1n);
      default:
        return BigInt.asUintN(Number(bits), BigInt(`0x${Buffer.from(this.bytes(32)).toString('hex')}`));
    }
  }

  /** -2^255 <= x < 2^255 */
  i256(): bigint {
    return BigInt.asIntN(256, this.chance(0.5) ? this.u256() : -this.u256());
  }
}
