import { beforeEach, describe, expect, it } from '@jest/globals';
import { assetOutput } from '@shardnode/testing/builders';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { type AssetOutput } from '@shardnode/protocol/transaction';
import { AddressSets } from './address-sets.js';

interface Stored {
  readonly reference: { readonly hint: number; readonly key: string };
  readonly output: AssetOutput;
}

const [owner, other] = testKeysOfGroup(0, 2);
const storedOf = (number: number, { lockupScript } = owner!): Stored => ({
  reference: { hint: 2, key: String(number).padStart(64, '0') },
  output: assetOutput(lockupScript, BigInt(number)),
});

describe('sets of addresses', () => {
  let sets: AddressSets;
  let answer: (found: readonly Stored[]) => void;
  beforeEach(() => {
    sets = new AddressSets({ listUtxos: () => new Promise((resolve) => (answer = resolve)) });
  });

  const { lockupScript } = owner!;
  const amounts = (): bigint[] | undefined => {
    const set = sets.peek(lockupScript);
    return set?.kind === 'small' ? set.outputs.map(({ output }) => output.amount) : undefined;
  };
  const [first, second, third] = [storedOf(1), storedOf(2), storedOf(3)];
  /** `first` is spent for `second`, and that for `third`; another address gets one. */
  const moves = [
    { removed: [first.reference], added: [second, storedOf(9, other!)] },
    { removed: [second.reference], added: [third] },
  ];

  it.each([
    ['before both', [first]],
    ['between them', [second]],
    ['after both', [third]],
  ])('a set that is loaded while two moves are made has them, read %s', async (_when, found) => {
    const loading = sets.load(lockupScript);
    sets.apply(moves.slice(0, 1));
    sets.apply(moves.slice(1));
    answer(found);
    await loading;
    expect(amounts()).toEqual([3n]);
  });

  it('a set that has a move already gets it once more in vain', async () => {
    const loading = sets.load(lockupScript);
    answer([second]);
    await loading;
    sets.apply(moves.slice(0, 1));
    expect(amounts()).toEqual([2n]);
    sets.apply(moves.slice(1));
    expect(amounts()).toEqual([3n]);
  });

  it('nothing is cached while a move back is stored, nor what was loaded before it', async () => {
    const loading = sets.load(lockupScript);
    sets.beginMoveBack();
    answer([second]);
    await loading;
    expect(amounts()).toBeUndefined();
    const again = sets.load(lockupScript);
    answer([first]);
    await again;
    expect(amounts()).toBeUndefined();
    sets.clear();
    const after = sets.load(lockupScript);
    answer([first]);
    await after;
    expect(amounts()).toEqual([1n]);
  });
});
