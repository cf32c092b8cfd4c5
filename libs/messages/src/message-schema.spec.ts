import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  explorerEvents,
  feedEvents,
  groupRequests,
  groupRouting,
  groupSubject,
  messageSchema,
  type MessageSchema,
  peerEvents,
  peerSubject,
  walletRequests,
  walletRouting,
  type GroupRequestName,
  type PeerEventName,
} from './index.js';

const ns = 'testnet';
const place = { ns, group: 1, groups: 4 };
const hash = 'ab'.repeat(32);
const bytes = new Uint8Array([1]);

const checkOf = (name: GroupRequestName) => (payload: unknown) =>
  groupRouting(place)(name, 'request')!.check!(payload, groupSubject(ns, 1, name));
const checkEvent = (event: PeerEventName, from: number, payload: unknown, to?: number) =>
  groupRouting(place)(event, 'event')!.check!(payload, peerSubject(ns, { event, from, to }));

interface Wanted {
  readonly hash: string;
  readonly limit?: number;
}

/** Not one of certain values. */
const isOpen = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema['enum'] === undefined && schema['const'] === undefined;

describe('schemas of messages', () => {
  it('with more, fewer or different fields do not compile', () => {
    const limit = z.number().optional();
    const schemas: MessageSchema<Wanted>[] = [
      messageSchema(() => z.object({ hash: z.string(), limit })),
      // @ts-expect-error an optional field is missing
      messageSchema(() => z.object({ hash: z.string() })),
      // @ts-expect-error an optional field too many
      messageSchema(() => z.object({ hash: z.string(), limit, offset: limit })),
      // @ts-expect-error another type
      messageSchema(() => z.object({ hash: z.string(), limit: z.string().optional() })),
      // @ts-expect-error required instead of optional
      messageSchema(() => z.object({ hash: z.string(), limit: z.number() })),
    ];
    expect(schemas).toHaveLength(5);
  });

  it('give every text and list a maximum length', () => {
    const rows = { ...groupRequests, ...walletRequests, ...peerEvents, ...feedEvents, ...explorerEvents };
    const missing: string[] = [];
    const walk = (value: unknown, where: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const schema = value as Readonly<Record<string, unknown>>;
      if (schema['type'] === 'string' && isOpen(schema) && schema['maxLength'] === undefined) missing.push(where);
      if (schema['type'] === 'array' && schema['maxItems'] === undefined) missing.push(where);
      for (const [key, inner] of Object.entries(schema)) walk(inner, `${where}.${key}`);
    };
    for (const [name, { schema }] of Object.entries(rows))
      walk(z.toJSONSchema(schema.schemaFor(4), { unrepresentable: 'any', io: 'input' }), name);
    expect(missing).toEqual([]);
  });

  it('exist for every row of the tables, and refuse values that are no objects', () => {
    const routes = [
      ...Object.keys(groupRequests).map((name) => groupRouting(place)(name, 'request')!),
      ...Object.keys(walletRequests).map((name) => walletRouting(ns, 4)(`wallet.${name}`, 'request')!),
      ...Object.keys(peerEvents).map((name) => groupRouting(place)(name, 'event')!),
    ];
    for (const { check, subjects } of routes) {
      for (const junk of [undefined, null, 1, 'text', [], new Uint8Array(3)]) {
        // Requests without fields take any object.
        if (typeof junk === 'object' && junk !== null && check!({}, subjects[0]!) === undefined) continue;
        expect(check!(junk, subjects[0]!)).toMatch(/expected/);
      }
    }
  });

  it('name the field and never the value', () => {
    const transfer = checkOf('read.building.transfer');
    const good = {
      lockupScript: '00aa',
      unlockScript: '00',
      destinations: [{ lockupScript: '00aa', amount: '1', tokens: [{ id: hash, amount: String(2n ** 256n - 1n) }] }],
      utxos: undefined,
      gasFormula: 'document',
    };
    expect(transfer(good)).toBeUndefined();
    const [destination] = good.destinations;
    const secret = 'correct horse';
    for (const [field, payload] of [
      ['destinations[0].amount', { ...good, destinations: [{ ...destination, amount: String(2n ** 256n) }] }],
      [
        'destinations[0].tokens[0].id',
        { ...good, destinations: [{ ...destination, tokens: [{ id: secret, amount: '1' }] }] },
      ],
      ['gasAmount', { ...good, gasAmount: 1.5 }],
      ['gasPrice', { ...good, gasPrice: '-1' }],
      ['gasFormula', { ...good, gasFormula: secret }],
      ['lockupScript', { ...good, lockupScript: `${secret}0` }],
      ['destinations', { ...good, destinations: Array(20_001).fill(destination) }],
    ] as const) {
      const problem = transfer(payload)!;
      expect(problem.split(':')[0]).toBe(field);
      expect(problem).not.toContain(secret);
    }
    const create = walletRouting(ns, 4)('wallet.create', 'request')!.check!;
    expect(create({ walletName: 'w', password: [secret] }, '')).toBe(
      'password: expected a text of at most 512 characters',
    );
    // No wallet has such a name; the wallet-service has its own error for it.
    expect(create({ walletName: '🔑'.repeat(1_000), password: 'p' }, '')).toBeUndefined();
  });

  it('are strict on sizes and numbers', () => {
    const tips = { from: 2, bestDependencies: Array<string>(7).fill(hash), sentAt: '1700000000000' };
    expect(checkEvent('peer.tips', 2, tips)).toBeUndefined();
    expect(checkEvent('peer.tips', 2, { ...tips, bestDependencies: tips.bestDependencies.slice(1) })).toBeDefined();
    expect(checkEvent('peer.tips', 2, { ...tips, sentAt: String(2n ** 63n) })).toMatch(/^sentAt/);
    expect(checkEvent('peer.block', 0, { from: 0, to: 1, block: new Uint8Array(0) }, 1)).toMatch(/^block/);
    expect(checkEvent('peer.block', 0, { from: 0, to: 1, block: new Uint8Array(2 ** 23 + 1) }, 1)).toMatch(/^block/);
    expect(checkOf('read.chain.info')({ from: 0, to: 4 })).toBe('to: expected a whole number from 0 to 3');
    expect(checkOf('read.chain.blocks')({ fromTs: Number.NaN, toTs: 1 })).toMatch(/^fromTs/);
    expect(checkOf('read.chain.block')({ hash: hash.toUpperCase() })).toMatch(/^hash/);
    const pull = { asker: 0, chain: { from: 0, to: 1 }, locator: Array<string>(65).fill(hash) };
    expect(checkOf('read.sync.pull')(pull)).toMatch(/^locator/);
    expect(checkOf('read.transaction.status')({ txId: hash, from: undefined })).toBeUndefined();
    expect(
      walletRouting(ns, 4)('wallet.derive-next-address', 'request')!.check!({ walletName: '', group: 4 }, ''),
    ).toMatch(/^group/);
  });

  it('a group-node sends for its own group: payload and subject must name the same group', () => {
    expect(checkEvent('peer.block', 0, { from: 0, to: 1, block: bytes }, 1)).toBeUndefined();
    expect(checkEvent('peer.block', 0, { from: 2, to: 1, block: bytes }, 1)).toBe(
      'from: expected the group of the subject',
    );
    expect(checkEvent('peer.tx', 0, { from: 0, to: 3, template: bytes }, 1)).toBe(
      'to: expected the group of the subject',
    );
  });
});
