import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { byteVec, u256 } from '@shardnode/testing/sample-contracts';
import { type TestKey } from '@shardnode/testing/keys';
import { type ApiClient } from '../kit/api-client.js';
import { type BuiltForm } from '../kit/api-forms.js';
import { contractIdOf, deployContract, settle } from '../kit/faucet.js';
import { oneCoin, transfer } from '../kit/transfers.js';

const folder = fileURLToPath(new URL('../fixtures/harbour/', import.meta.url));
const sourceOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
const marketSource = sourceOf('market.ral');
const boatsSource = sourceOf('boats.ral');
const source = [sourceOf('token.ral'), boatsSource, marketSource].join('\n');

export const text = (value: string): Val => byteVec(Buffer.from(value).toString('hex'));
/** The last immutable field of a contract with a standard interface (protocol 06 §5.6). */
export const standard = (id: string): Val => byteVec(`414c5048${id}`);
const fieldsOf = (values: readonly Val[]): string => bytesToHex(encode(valsCodec, values));

const supply = 5_000_000n;
const price = oneCoin / 100n;
const stocked = 1_000_000n;

/** Contracts with a token, a collection and a market that sells the token: what pages of contracts and tokens show. */
export interface Harbour {
  readonly token: string;
  readonly market: string;
  readonly collection: string;
  /** Deploys one more of its contracts. Gives the address. */
  deploy(name: string, immutable: readonly Val[], mutable: readonly Val[], more?: object): Promise<string>;
  /** Buys from the market. Gives the id of the transaction. */
  buy(buyer: TestKey, amount: bigint): Promise<string>;
  /** Makes a boat of the collection. Gives the id of the transaction. */
  launch(owner: TestKey): Promise<string>;
}

/** Deploys the contracts, and gives each holder a part of the tokens. All keys are of one group. */
export const openHarbour = async (
  api: ApiClient,
  owner: TestKey,
  holders: readonly (readonly [TestKey, bigint])[],
): Promise<Harbour> => {
  const { contracts } = await api.post<{
    readonly contracts: readonly { readonly name: string; readonly bytecode: string }[];
  }>('/contracts/compile-project', { code: source });
  const deploy = async (
    name: string,
    immutable: readonly Val[],
    mutable: readonly Val[],
    more: object = {},
  ): Promise<string> => {
    const code = contracts.find((each) => each.name === name)!.bytecode;
    const bytecode = code + fieldsOf(immutable) + fieldsOf(mutable);
    return (await deployContract(api, owner, { bytecode, ...more })).address;
  };
  const execute = async (key: TestKey, script: string, assets: object): Promise<string> => {
    const { bytecodeTemplate } = await api.post<{ readonly bytecodeTemplate: string }>('/contracts/compile-script', {
      code: script,
    });
    const built = await api.post<BuiltForm>('/contracts/unsigned-tx/execute-script', {
      fromPublicKey: bytesToHex(key.publicKey),
      bytecode: bytecodeTemplate,
      ...assets,
    });
    await settle(api, key, built);
    return built.txId;
  };

  const token = await deploy(
    'HarbourToken',
    [text('HRB'), text('Harbour'), u256(2), u256(supply), standard('0001')],
    [],
    {
      issueTokenAmount: String(supply),
      issueTokenTo: owner.address,
    },
  );
  const tokenId = contractIdOf(token);
  const market = await deploy(
    'Market',
    [byteVec(tokenId), u256(price), { type: 'Address', value: owner.lockupScript }],
    [u256(0), u256(0)],
  );
  const boat = await deploy('Boat', [byteVec(''), u256(0), byteVec(''), standard('0003')], []);
  const collection = await deploy(
    'Boats',
    [byteVec(contractIdOf(boat)), text('data:,Boats of the harbour/'), standard('0002')],
    [u256(0)],
  );
  for (const [{ address }, amount] of holders) {
    const tokens = [{ id: tokenId, amount: String(amount) }];
    await transfer(api, owner, [{ address, attoCoinAmount: String(oneCoin), tokens }]);
  }
  const stock = `TxScript Stock { Market(#${contractIdOf(market)}).stock{callerAddress!() -> ALPH: 1 alph, #${tokenId}: ${stocked}}(${stocked}) }`;
  const tokens = [{ id: tokenId, amount: String(stocked) }];
  await execute(owner, `${stock}\n${marketSource}`, { attoCoinAmount: String(oneCoin), tokens });
  return {
    token: tokenId,
    market,
    collection,
    deploy,
    buy: (buyer, amount) =>
      execute(
        buyer,
        `TxScript Buy { Market(#${contractIdOf(market)}).buy{callerAddress!() -> ALPH: ${amount * price}}(${amount}) }\n${marketSource}`,
        { attoCoinAmount: String(amount * price + oneCoin / 10n) },
      ),
    launch: (key) =>
      execute(
        key,
        `TxScript Launch { Boats(#${contractIdOf(collection)}).launch{callerAddress!() -> ALPH: 1.2 alph}() }\n${boatsSource}`,
        { attoCoinAmount: String(2n * oneCoin) },
      ),
  };
};
