import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { silentLogger } from '@shardnode/core/observability';
import { walletRequests, walletSubject, type WalletRequestName } from '@shardnode/messages';
import { fc } from '@shardnode/testing/properties';
import { createWorld, ns, temporaryDatabase, type WalletWorld } from '../wallet-world.js';

const secret = 'correct horse battery staple';

/** Objects with the fields of wallet requests, one right or wrong value each. */
const payload = fc.record(
  {
    walletName: fc.oneof(fc.constant('w'), fc.string(), fc.anything({ maxDepth: 1 })),
    password: fc.oneof(fc.constant(secret), fc.constant([secret])),
    mnemonic: fc.oneof(fc.constant(secret), fc.constant({ words: secret })),
    address: fc.oneof(fc.string(), fc.integer()),
    data: fc.oneof(fc.constant('00'.repeat(32)), fc.string()),
    destinations: fc.oneof(fc.constant([]), fc.array(fc.anything({ maxDepth: 1 }), { maxLength: 3 })),
    gasFormula: fc.constantFrom('document', 'another'),
    group: fc.oneof(fc.integer(), fc.constantFrom(0, 3, 4)),
    destination: fc.oneof(fc.constant('00'.repeat(33)), fc.string(), fc.integer()),
    lockTime: fc.oneof(fc.constant('5'), fc.integer()),
    unminable: fc.constantFrom('refuse', 'build', 'other'),
  },
  { requiredKeys: [] },
);
const junk = fc.oneof(payload, fc.anything({ maxDepth: 2, withBigInt: true }), fc.uint8Array({ maxLength: 40 }));

describe('poisoned messages to the wallet-service', () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let world: WalletWorld;
  beforeAll(async () => {
    database = await temporaryDatabase();
    world = await createWorld({ host: () => database.host, schema: 'wallet_poisoned' });
  });
  afterAll(async () => {
    await world.stop();
    await database.remove();
  });

  it('on every subject of the table are answered with what is wrong, without a secret, and it goes on', async () => {
    const { bus } = await world.network.join({ sender: { service: 'gateway' }, logger: silentLogger });
    const stranger = await world.network.join({ sender: { service: 'group-node', member: 1 }, logger: silentLogger });
    for (const name of Object.keys(walletRequests) as WalletRequestName[]) {
      const form = walletRequests[name].schema.schemaFor(4);
      for (const message of fc.sample(junk, { numRuns: 60, seed: 5 })) {
        const error = await bus
          .request(walletSubject(ns, name), message, { deadlineMs: 5_000 })
          .then(() => undefined)
          .catch((thrown: unknown) => thrown as ServiceError);
        const isInvalid = error?.code === 'InvalidMessage';
        expect({ name, message, isInvalid }).toMatchObject({ isInvalid: !form.safeParse(message).success });
        expect({ name, message, kind: error?.kind }).not.toMatchObject({ kind: 'broken' });
        expect(JSON.stringify(error?.detail ?? '')).not.toContain(secret);
      }
      await expect(stranger.bus.request(walletSubject(ns, name), {}, { deadlineMs: 5_000 })).rejects.toMatchObject({
        code: 'SenderNotPermitted',
      });
    }
    await world.client.request('create', { walletName: 'good', password: 'p' });
    expect((await world.client.request('get', { walletName: 'good' })).locked).toBe(false);
    const refused = world.logLines.filter((line) => line.includes('message refused'));
    expect(refused.length).toBeGreaterThanOrEqual(Object.keys(walletRequests).length);
    expect(refused.length).toBeLessThanOrEqual(4 * Object.keys(walletRequests).length);
    expect(world.logLines.join('')).not.toContain(secret);
  });
});
