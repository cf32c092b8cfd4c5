import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { type BlockForm } from '../../kit/api-forms.js';
import { besideAttack } from '../../kit/attacks/bystander.js';
import { type DiscardedAnswer, getAsAttacker } from '../../kit/attacks/client-address.js';
import { describeNetwork } from '../../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../../kit/network.js';
import { confirmed, oneCoin, transfer } from '../../kit/transfers.js';

/** Of each group, one after the other. */
const transfers = 60;
/** Of a transfer: some 90 kB of JSON with a message of 256 bytes each. */
const outputs = 120;
const requests = 60;
const budget = 8 * 1024 * 1024;

const counted = (answers: readonly DiscardedAnswer[]): Record<number, number> => {
  const byStatus: Record<number, number> = {};
  for (const { status } of answers) byStatus[status] = (byStatus[status] ?? 0) + 1;
  return byStatus;
};

describeNetwork('attack: the blocks of thirty minutes, sixty times at once', () => {
  let network: Network;
  let fromTs = 0;
  let toTs = 0;
  let made: string[] = [];

  beforeAll(async () => {
    network = await startNetwork();
    const { api, funded } = network;
    fromTs = Date.now() - 60_000;
    const message = 'ab'.repeat(256);
    const ids = await Promise.all(
      funded.map(async (from, group) => {
        const receivers = testKeysOfGroup(group, 30).slice(20);
        const destinations = Array.from({ length: outputs }, (_, i) => ({
          address: receivers[i % receivers.length]!.address,
          attoCoinAmount: String(oneCoin / 100n),
          message,
        }));
        const sent: string[] = [];
        for (let i = 0; i < transfers; i++) {
          const { txId } = await transfer(api, from, destinations);
          await confirmed(api, txId);
          sent.push(txId);
        }
        return sent;
      }),
    );
    made = ids.flat();
    toTs = Date.now() + 60_000;
  }, 300_000);
  afterAll(() => network?.remove());

  const path = (from: number, to: number): string => `/blockflow/blocks?fromTs=${from}&toTs=${to}`;

  it.each(['blocks', 'blocks-with-events'])('%s take no memory and no time of others', async (name) => {
    let answers: DiscardedAnswer[] = [];
    const url = `${network.deployment.baseUrl}/blockflow/${name}?fromTs=${fromTs}&toTs=${toTs}`;
    const effect = await besideAttack(network, name, async () => {
      answers = await Promise.all(Array.from({ length: requests }, () => getAsAttacker(url)));
    });
    const bytes = answers.reduce((sum, answer) => sum + answer.bytes, 0);
    process.stderr.write(`${name}: ${JSON.stringify(counted(answers))}, ${(bytes / 2 ** 20).toFixed(0)} MiB in all\n`);
    expect(effect.failed).toEqual([]);
    expect(effect.growth).toBeLessThan(150);
    for (const { status, bytes } of answers) {
      expect([400, 429]).toContain(status);
      expect(bytes).toBeLessThan(2_000);
    }
  });

  it('are read whole in the parts that the refusals name', async () => {
    const { api } = network;
    const hashes: string[] = [];
    const found = new Set<string>();
    let refusals = 0;
    let end = toTs;
    for (let from = fromTs; from < toTs;) {
      const answer = await api.send('GET', path(from, end));
      if (answer.status === 200) {
        expect(answer.text.length).toBeLessThanOrEqual(budget);
        const { blocks } = JSON.parse(answer.text) as { blocks: BlockForm[][] };
        for (const block of blocks.flat()) {
          hashes.push(block.hash);
          for (const { unsigned } of block.transactions) found.add(unsigned.txId);
        }
        from = end + 1;
        end = toTs;
        continue;
      }
      refusals += 1;
      expect([answer.status, answer.headers['x-error-code']]).toEqual([400, 'AnswerTooLarge']);
      expect(answer.headers['x-error-field']).toBe('toTs');
      const named = /fromTs=(\d+)&toTs=(\d+)/.exec(answer.text)!;
      expect(Number(named[1])).toBe(from);
      end = Number(named[2]);
      // The named interval works.
      expect((await api.send('GET', path(from, end))).status).toBe(200);
    }
    expect(refusals).toBeGreaterThan(1);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(made.filter((id) => !found.has(id))).toEqual([]);
    process.stderr.write(`${hashes.length} blocks in ${refusals + 1} parts\n`);
  });
});
