import { describe, expect, it } from '@jest/globals';
import { type z } from 'zod';
import { fields, gas, list, mostMistakes, mostOfAll, optionalList, required, type Leaf } from './index.js';

/** A list schema that counts the items read. */
const counting = () => {
  const read = { items: 0 };
  const leaf: Leaf<number> = {
    ...gas,
    read: (raw) => {
      read.items += 1;
      return gas.read(raw);
    },
  };
  const schema = fields(
    {
      needed: list(required(leaf), 'numbers', { most: 3 }),
      given: optionalList(required(leaf), 'numbers', { most: 3 }),
    },
    { description: 'Lists' },
  );
  return { read, schema };
};
const messagesOf = (value: unknown): unknown => {
  const { read, schema } = counting();
  const result = schema.safeParse(value);
  return [read.items, result.success ? result.data : result.error.issues.map(({ path, message }) => [path, message])];
};
const million = Array.from({ length: 1_000_000 }, () => 1);

describe('lists are counted before their items are read', () => {
  it.each<[string, unknown, unknown]>([
    ['as many as allowed', { needed: [1, 2, 3], given: [4] }, [4, { needed: [1, 2, 3], given: [4] }]],
    ['one too many', { needed: [1, 2, 3, 4] }, [0, [[['needed'], 'has 4 items, at most 3 are allowed']]]],
    [
      'a million in both',
      { needed: million, given: million },
      [
        0,
        [
          [['needed'], 'has 1000000 items, at most 3 are allowed'],
          [['given'], 'has 1000000 items, at most 3 are allowed'],
        ],
      ],
    ],
    ['null for the optional one', { needed: [], given: null }, [0, { needed: [] }]],
    ['absent optional one', { needed: [] }, [0, { needed: [] }]],
    ['absent needed one', {}, [0, [[['needed'], 'expected a list of numbers']]]],
    [
      'no lists',
      { needed: 'x', given: {} },
      [
        0,
        [
          [['needed'], 'expected a list of numbers'],
          [['given'], 'expected a list of numbers'],
        ],
      ],
    ],
  ])('%s', (_name, value, expected) => {
    expect(messagesOf(value)).toEqual(expected);
  });

  it('and are refused by a rule for all of them before one is read', () => {
    const read = { items: 0 };
    const leaf: Leaf<number> = { ...gas, read: () => ++read.items };
    const refuse = (items: readonly unknown[]) => (items.includes('x') ? 'have an x' : undefined);
    const schema = optionalList(required(leaf), 'numbers', { refuse });
    const refused = schema.safeParse([1, 'x', 3]);
    expect([read.items, refused.error?.issues.map(({ message }) => message)]).toEqual([0, ['have an x']]);
    expect([schema.parse([1, 2]), schema.parse(null)]).toEqual([[1, 2], undefined]);
  });
});

/** Senders with lists of numbers, at most five in all, which count what they read. */
const countingSenders = () => {
  const read = { items: 0 };
  const number = required<number>({
    ...gas,
    read: (raw) => {
      read.items += 1;
      return gas.read(raw);
    },
  });
  const sender = fields(
    { needed: list(number, 'numbers', { most: 5 }), given: optionalList(number, 'numbers', { most: 5 }) },
    { description: 'Sender' },
  );
  const schema = list(sender, 'senders', { most: 3, refuse: mostOfAll({ needed: 5, given: 5 }) });
  return { read, schema };
};

describe('the lists in the items of a list are counted together before an item is read', () => {
  it.each<[string, unknown, unknown]>([
    ['as many as allowed', [{ needed: [1, 2, 3] }, { needed: [4, 5], given: [1, 2, 3, 4, 5] }], [10, undefined]],
    [
      'one too many',
      [{ needed: [1, 2, 3] }, { needed: [4, 5, 6] }],
      [0, [[[], 'has 6 needed in all its items, at most 5 in all are allowed']]],
    ],
    [
      'one too many of the optional ones',
      [
        { needed: [1], given: [1, 2, 3, 4, 5] },
        { needed: [], given: [1] },
      ],
      [0, [[[], 'has 6 given in all its items, at most 5 in all are allowed']]],
    ],
    [
      'too many in one item, which is named by its place',
      [{ needed: [1, 2, 3] }, { needed: million }],
      [3, [[[1, 'needed'], 'has 1000000 items, at most 5 are allowed']]],
    ],
    ['too many items', [{}, {}, {}, {}], [0, [[[], 'has 4 items, at most 3 are allowed']]]],
    [
      'no objects',
      [null, 7, { needed: 'x' }],
      [
        0,
        [
          [[0], 'expected an object'],
          [[1], 'expected an object'],
          [[2, 'needed'], 'expected a list of numbers'],
        ],
      ],
    ],
  ])('%s', (_name, value, expected) => {
    const { read, schema } = countingSenders();
    const { error } = schema.safeParse(value);
    expect([read.items, error?.issues.map(({ path, message }) => [path, message])]).toEqual(expected);
  });
});

describe('a list with many mistakes is read until there are more than are written', () => {
  const wrong = Array.from({ length: 1_000 }, () => 'x');
  const countedOf = (schema: z.ZodType, read: { items: number }, value: unknown): readonly unknown[] => [
    schema.safeParse(value).error?.issues.length,
    read.items,
  ];

  it('one list', () => {
    const read = { items: 0 };
    const number = required({ ...gas, read: () => void (read.items += 1) });
    expect(countedOf(list(number, 'numbers'), read, wrong)).toEqual([mostMistakes + 1, mostMistakes + 1]);
  });

  it('lists in a list', () => {
    const read = { items: 0 };
    const number = required({ ...gas, read: () => void (read.items += 1) });
    const lists = list(fields({ numbers: list(number, 'numbers') }, { description: 'Inner' }), 'lists');
    const value = Array.from({ length: 50 }, () => ({ numbers: wrong }));
    expect(countedOf(lists, read, value)).toEqual([mostMistakes + 1, mostMistakes + 1]);
  });

  it('few mistakes after many good items are all found', () => {
    const numbers = [...Array.from({ length: 1_000 }, (_, index) => index), 'x', 1, 'y'];
    const { error } = list(required(gas), 'numbers').safeParse(numbers);
    expect(error?.issues.map(({ path }) => path)).toEqual([[1_000], [1_002]]);
  });
});
