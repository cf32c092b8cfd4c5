import { byteVec, u256 } from '@shardnode/testing/sample-contracts';
import { developmentKeys, type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { openHarbour, standard, text } from '../../screenshots/harbour.js';
import { apiClient, type ApiClient } from '../api-client.js';
import { type Deployment } from '../deployment.js';
import { embeddedDeployment } from '../embedded-deployment.js';
import { contractIdOf } from '../faucet.js';
import { confirmed, oneCoin, transfer } from '../transfers.js';
import { waitFor } from '../wait-for.js';

/** Markup, a turn of the direction of writing, and far too long. */
export const hostileText = `<img src=x onerror="window.hit=1">\u202egnp.exe${'x'.repeat(1_000)}`;

/** A picture of two by two points. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDA8B+CGf4zAAAc7QP/kX8dqAAAAABJRU5ErkJggg==';
const describedUri = `data:application/json,${encodeURIComponent(
  JSON.stringify({
    name: 'Heron',
    description: 'A boat with a red sail.',
    image: picture,
    attributes: [
      { trait_type: 'sail', value: 'red' },
      { trait_type: 'masts', value: 2 },
    ],
  }),
)}`;

const smallOutputs = 300;
const outputsAtOnce = 100;
const daysMs = 86_400_000;

/** A name of the explorer, to which a browser of a test leads. A page of it over HTTP is no secure context. */
export const nameInLan = 'explorer.lan';

/** `npm start` with tokens, collections, and addresses that hold much of them. */
export class HeldAssets {
  private constructor(
    private readonly deployment: Deployment,
    readonly api: ApiClient,
    /** Where the explorer is. */
    readonly url: string,
    readonly payer: TestKey,
    /** Has 300 outputs of 0.05 coin, one of 1,000, and one of 25 that is locked. */
    readonly saver: TestKey,
    readonly unlockAt: number,
    /** Ids of tokens, and of a collection, by what is odd about them. */
    readonly ids: Readonly<
      Record<
        'harbour' | 'sameSymbol' | 'likeCoin' | 'hostile' | 'nameless' | 'boat' | 'described' | 'collection',
        string
      >
    >,
    /** Of the contract of the collection. */
    readonly collectionAddress: string,
  ) {}

  static async open(): Promise<HeldAssets> {
    const deployment = embeddedDeployment({
      EXPLORER: 'on',
      EXPLORER_PORT: '0',
      MINING_HEARTBEAT: '2',
      HOST_NAMES: nameInLan,
    });
    try {
      const { explorerUrl } = await deployment.start();
      const api = apiClient(() => deployment.baseUrl);
      return await HeldAssets.fill(deployment, api, explorerUrl!);
    } catch (error) {
      await deployment.remove();
      throw error;
    }
  }

  private static async fill(deployment: Deployment, api: ApiClient, url: string): Promise<HeldAssets> {
    const [payer, rich] = (await developmentKeys()) as readonly [TestKey, TestKey];
    const saver = testKeysOfGroup(rich.group, 40)[39]!;
    const unlockAt = Math.floor(Date.now() / 1_000) * 1_000 + 7 * daysMs;
    const saving = HeldAssets.save(api, rich, saver, unlockAt);
    const neighbours = testKeysOfGroup(payer.group, 24);
    const shares = neighbours.map((key, i) => [key, 900_000n / BigInt(i + 1)] as const);
    const harbour = await openHarbour(api, payer, shares.slice(0, 14));
    const issue = async (symbol: string, name: string, decimals: bigint, id = '0001'): Promise<string> =>
      contractIdOf(
        await harbour.deploy(
          'HarbourToken',
          [text(symbol), text(name), u256(decimals), u256(7_000), standard(id)],
          [],
          {
            issueTokenAmount: '7000',
            issueTokenTo: payer.address,
          },
        ),
      );
    const sameSymbol = await issue('hrb', 'Harbor', 2n);
    const likeCoin = await issue('COIN', 'Coin', 18n);
    const hostile = await issue(hostileText, hostileText, 2n ** 255n);
    const nameless = await issue('', '', 0n, 'ffff');
    for (let i = 0; i < 2; i++) await harbour.launch(payer);
    const collectionId = contractIdOf(harbour.collection);
    const described = contractIdOf(
      await harbour.deploy('Boat', [byteVec(collectionId), u256(77), text(describedUri), standard('0003')], [], {
        issueTokenAmount: '1',
        issueTokenTo: payer.address,
      }),
    );
    await saving;
    const read = async <Form>(path: string): Promise<Form> => (await (await fetch(`${url}${path}`)).json()) as Form;
    // The job of the explorer looks every ten seconds.
    const boat = await waitFor('the boats are known', async () => {
      const tokens = await read<readonly { readonly token: string; readonly category: string | null }[]>('/tokens');
      const boats = tokens.filter(({ category, token }) => category === '0003' && token !== described);
      return tokens.every(({ category }) => category !== null) && boats.length === 2 && boats[0]!.token;
    });
    const ids = {
      harbour: harbour.token,
      sameSymbol,
      likeCoin,
      hostile,
      nameless,
      boat,
      described,
      collection: collectionId,
    };
    return new HeldAssets(deployment, api, url, payer, saver, unlockAt, ids, harbour.collection);
  }

  private static async save(api: ApiClient, from: TestKey, to: TestKey, unlockAt: number): Promise<void> {
    const { address } = to;
    const small = Array.from({ length: outputsAtOnce }, () => ({ address, attoCoinAmount: String(oneCoin / 20n) }));
    for (let i = 0; i < smallOutputs; i += outputsAtOnce) await confirmed(api, (await transfer(api, from, small)).txId);
    const large = { address, attoCoinAmount: String(1_000n * oneCoin) };
    const locked = { address, attoCoinAmount: String(25n * oneCoin), lockTime: unlockAt };
    await confirmed(api, (await transfer(api, from, [large, locked])).txId);
  }

  /** Asks the explorer. */
  async read<Form>(path: string): Promise<Form> {
    return (await (await fetch(`${this.url}${path}`)).json()) as Form;
  }

  async close(): Promise<void> {
    this.api.close();
    await this.deployment.remove();
  }
}
