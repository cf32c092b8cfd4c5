import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { apiClient, type Answer, type ApiClient, type Method } from '../kit/api-client.js';
import { describeEmbedded } from '../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../kit/network.js';
import { balanceOf, build, chainHeight, confirmed, oneCoin, signOffline } from '../kit/transfers.js';

const keys = { API_KEY: 'o'.repeat(32), API_KEY_WALLETS: 'w'.repeat(32), API_KEY_READ: 'r'.repeat(32) } as const;
const thief = testKeyOfGroup(0).address;
const theft = { destinations: [{ address: thief, attoCoinAmount: oneCoin.toString() }] };

interface Wish {
  readonly what: string;
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

/** What somebody does with a key, whose network has the unlocked wallet `dev`. */
const wishes: readonly Wish[] = [
  { what: 'names of wallets', method: 'GET', path: '/wallets' },
  { what: 'addresses of a wallet', method: 'GET', path: '/wallets/dev/addresses' },
  { what: 'balances of a wallet', method: 'GET', path: '/wallets/dev/balances' },
  { what: 'coins of a wallet', method: 'POST', path: '/wallets/dev/transfer', body: theft },
  { what: 'the same by an encoded path', method: 'POST', path: '/%77allets/dev/transfer', body: theft },
  { what: 'the same with a slash at the end', method: 'POST', path: '/wallets/dev/transfer/', body: theft },
  { what: 'words of a wallet', method: 'POST', path: '/wallets/dev/reveal-mnemonic', body: { password: 'dev' } },
  { what: 'blocks', method: 'POST', path: '/miners/cpu-mining/mine-one-block?fromGroup=0&toGroup=0' },
  { what: 'an empty mempool', method: 'DELETE', path: '/mempool/transactions' },
  {
    what: 'rewards of miners',
    method: 'PUT',
    path: '/miners/addresses',
    body: { addresses: [0, 1, 2, 3].map((group) => testKeyOfGroup(group).address) },
  },
];

/** What a key got. */
interface Loot {
  /** Answers to the wishes that were granted. */
  readonly granted: readonly string[];
  readonly refused: ReadonlySet<string>;
  readonly coins: bigint;
  readonly blocks: number;
}

/** The operations that change something or tell of a wallet, of which the description is no witness. */
const isForReaders = (name: string): boolean =>
  !/ \/wallets/.test(name) &&
  !/^(PUT|DELETE) /.test(name) &&
  !/^POST \/(miners|infos)\//.test(name) &&
  !/^POST \/\w+\/submit$/.test(name);

describeEmbedded('attack: somebody who has the key for reading', () => {
  let network: Network;
  const clients: ApiClient[] = [];
  const clientOf = (key: string): ApiClient => {
    const client = apiClient(() => network.deployment.baseUrl, 4, { 'X-API-KEY': key });
    clients.push(client);
    return client;
  };
  let [operator, payer, reader]: ApiClient[] = [];
  beforeAll(async () => {
    network = await startNetwork({ DEV_WALLET: 'true', ...keys });
    operator = clientOf(keys.API_KEY);
    payer = clientOf(keys.API_KEY_WALLETS);
    reader = clientOf(keys.API_KEY_READ);
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await network?.remove();
  });

  const codeOf = ({ status, headers }: Answer): string => `${status} ${String(headers['x-error-code'] ?? '')}`.trim();

  const rob = async (who: string, api: ApiClient): Promise<Loot> => {
    const [coins, height] = [await balanceOf(operator!, thief), await chainHeight(operator!, 0, 0)];
    const granted: string[] = [];
    const refused = new Set<string>();
    for (const { what, method, path, body } of wishes) {
      const answer = await api.send(method, path, { body });
      if (answer.status === 200) granted.push(what);
      else refused.add(codeOf(answer));
      if (answer.status === 200 && body === theft)
        await confirmed(operator!, (JSON.parse(answer.text) as { txId: string }).txId);
    }
    const loot = {
      granted,
      refused,
      coins: ((await balanceOf(operator!, thief)) - coins) / oneCoin,
      blocks: (await chainHeight(operator!, 0, 0)) - height,
    };
    console.log(
      `the key for ${who}: ${loot.coins} coins taken, chain (0,0) ${loot.blocks} blocks longer; ` +
        `granted: ${granted.join(', ') || 'nothing'}; refused: ${[...refused].join(', ') || 'nothing'}`,
    );
    return loot;
  };

  it('gets no wallets, no coins, no blocks, no mempool and no rewards', async () => {
    const loot = await rob('reading', reader!);
    expect(loot).toEqual({ granted: [], refused: new Set(['403 KeyNotPermitted']), coins: 0n, blocks: 0 });
  });

  it('submits nothing, not even a transaction that its owner has signed', async () => {
    const from = network.funded[0]!;
    const built = await build(reader!, from, theft.destinations);
    const body = { unsignedTx: built.unsignedTx, signature: signOffline(built, from) };
    expect(codeOf(await reader!.send('POST', '/transactions/submit', { body }))).toBe('403 KeyNotPermitted');
    expect(await reader!.get(`/transactions/status?txId=${built.txId}`)).toEqual({ type: 'TxNotFound' });
    expect(codeOf(await payer!.send('POST', '/transactions/submit', { body }))).toBe('200');
  });

  it('is refused by every operation that changes something or tells of wallets, and by no other', async () => {
    const { paths } = await reader!.get<{ paths: Record<string, Record<string, unknown>> }>('/docs/openapi.json');
    const names = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(names.length).toBeGreaterThan(70);
    const wrong: string[] = [];
    for (const name of names) {
      const [method, path] = name.split(' ') as [Method, string];
      // Most of them have no use for these values: what counts is whether the key is refused before they are read.
      const answer = await reader!.send(method, path.replaceAll(/\{\w+\}/g, 'x'), { rawBody: '{' });
      const isRefused = codeOf(answer) === '403 KeyNotPermitted';
      if (isRefused === isForReaders(name)) wrong.push(`${name}: ${codeOf(answer)}`);
    }
    console.log(`${names.filter(isForReaders).length} of ${names.length} operations are open to the key for reading`);
    expect(wrong).toEqual([]);
  });

  it('reads and builds what it needs', async () => {
    expect(await balanceOf(reader!, thief)).toBeGreaterThan(0n);
    for (const path of ['/infos/self-clique', '/mempool/transactions', '/miners/addresses'])
      expect((await reader!.send('GET', path)).status).toBe(200);
  });

  it('would pay with the key for wallets, and not mine', async () => {
    const { granted, refused, coins } = await rob('wallets', payer!);
    expect(granted).toEqual(wishes.slice(0, 7).map(({ what }) => what));
    expect([coins, refused]).toEqual([3n, new Set(['403 KeyNotPermitted'])]);
  });
});
