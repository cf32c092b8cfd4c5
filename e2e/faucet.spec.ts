import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { statefulScriptCodec } from '@shardnode/protocol/script';
import { transactionId, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { type TestKey } from '@shardnode/testing/keys';
import { type Answer } from './kit/api-client.js';
import { type BalanceForm, type BuiltForm, type ConfirmedForm } from './kit/api-forms.js';
import { describeNetwork } from './kit/deployment-under-test.js';
import {
  type CompiledFaucet,
  compileFaucet,
  contractIdOf,
  type DeployedContract,
  deployFaucet,
  faucetSource,
  immutableFields,
  settle,
  withdrawScript,
} from './kit/faucet.js';
import { type Network, startNetwork } from './kit/network.js';
import { oneCoin, signOffline } from './kit/transfers.js';

interface ContractEvent {
  readonly txId?: string;
  readonly contractAddress?: string;
  readonly eventIndex: number;
  readonly fields: readonly { readonly type: string; readonly value: string }[];
}
interface StateForm {
  readonly address: string;
  readonly bytecode: string;
  readonly immFields: readonly unknown[];
  readonly mutFields: readonly unknown[];
  readonly asset: { readonly attoCoinAmount: string; readonly tokens: readonly unknown[] };
}
interface BlockWithEvents {
  readonly block: { readonly hash: string; readonly timestamp: number };
  readonly events: readonly ContractEvent[];
}

const supply = 100;
const detailOf = (answer: Answer): string => (JSON.parse(answer.text) as { readonly detail: string }).detail;

/** The example contract of the requirements, from its source: what it does, and what it refuses. */
describeNetwork('the token faucet', () => {
  let network: Network;
  let key: TestKey;
  let compiled: CompiledFaucet;
  let faucet: DeployedContract;
  beforeAll(async () => {
    network = await startNetwork();
    key = network.funded[0]!;
    compiled = await compileFaucet(network.api);
    faucet = await deployFaucet(network.api, key, compiled.code, supply);
  });
  afterAll(() => network?.remove());

  const stateOf = (address: string): Promise<StateForm> => network.api.get(`/contracts/${address}/state?group=0`);
  const balanceLeft = async (address: string): Promise<unknown> => (await stateOf(address)).mutFields[0];
  const script = async (address: string, amount: number, gasAmount?: number) => ({
    fromPublicKey: bytesToHex(key.publicKey),
    bytecode: await withdrawScript(network.api, address, amount),
    // The token comes with the least amount of an output.
    attoCoinAmount: String(oneCoin / 1000n),
    ...(gasAmount === undefined ? {} : { gasAmount }),
  });
  const withdraw = async (amount: number): Promise<ConfirmedForm & { readonly txId: string }> => {
    const built = await network.api.post<BuiltForm>(
      '/contracts/unsigned-tx/execute-script',
      await script(faucet.address, amount),
    );
    return { ...(await settle(network.api, key, built)), txId: built.txId };
  };
  const failedAssertion = {
    'x-failure': 'AssertionFailedWithErrorCode',
    'x-failed-instruction': 'AssertWithErrorCode, method 5, instruction 8',
    'x-assertion-code': '0',
    'x-assertion-name': 'ErrorCodes.InvalidWithdrawAmount',
    'x-failed-function': 'TokenFaucet.withdraw',
  };
  const assertionText = (address: string): string => `Assertion Failed in Contract @ ${address}, Error Code: 0`;
  const debugText = (balance: number | bigint, amount: number): string => `balance: ${balance}, amount: ${amount}`;

  it('is the contract of the README', () => {
    expect(readFileSync(new URL('../README.md', import.meta.url), 'utf8')).toContain(faucetSource);
  });

  it('has its state once it is deployed, in the group of its address', async () => {
    const { group } = await network.api.get<{ readonly group: number }>(`/addresses/${faucet.address}/group`);
    expect(group).toBe(0);
    const tokens = [{ id: contractIdOf(faucet.address), amount: String(supply) }];
    expect(await stateOf(faucet.address)).toMatchObject({
      address: faucet.address,
      bytecode: compiled.code,
      immFields: immutableFields(supply),
      mutFields: [{ type: 'U256', value: String(supply) }],
      asset: { attoCoinAmount: String(oneCoin), tokens },
    });
    expect(await network.api.get<BalanceForm>(`/addresses/${faucet.address}/balance`)).toMatchObject({
      balance: String(oneCoin),
      tokenBalances: tokens,
      utxoNum: 1,
    });
    expect(await network.api.get(`/events/tx-id/${faucet.txId}`)).toMatchObject({
      events: [{ eventIndex: -1, fields: [{ type: 'Address', value: faucet.address }, {}, {}] }],
    });
  });

  it.each([1, 2])('gives %d tokens, and the events come with the block', async (amount) => {
    const before = BigInt(((await balanceLeft(faucet.address)) as { readonly value: string }).value);
    const { blockHash, txId } = await withdraw(amount);
    expect(await balanceLeft(faucet.address)).toEqual({ type: 'U256', value: String(before - BigInt(amount)) });
    const withdrawn = {
      txId,
      contractAddress: faucet.address,
      eventIndex: 0,
      fields: [
        { type: 'Address', value: key.address },
        { type: 'U256', value: String(amount) },
      ],
    };
    const debug = {
      txId,
      contractAddress: faucet.address,
      eventIndex: -3,
      fields: [{ type: 'ByteVec', value: Buffer.from(debugText(before, amount)).toString('hex') }],
    };
    const found = await network.api.get<BlockWithEvents>(`/blockflow/blocks-with-events/${blockHash}`);
    expect([found.block.hash, found.events]).toEqual([blockHash, [debug, withdrawn]]);
    const { timestamp } = found.block;
    const { blocksAndEvents } = await network.api.get<{
      readonly blocksAndEvents: readonly (readonly BlockWithEvents[])[];
    }>(`/blockflow/blocks-with-events?fromTs=${timestamp - 1}&toTs=${timestamp}`);
    expect(blocksAndEvents[0]!.find(({ block }) => block.hash === blockHash)?.events).toEqual([debug, withdrawn]);
  });

  it('has given tokens to who asked', async () => {
    const { tokenBalances } = await network.api.get<BalanceForm>(`/addresses/${key.address}/balance`);
    expect(tokenBalances).toEqual([{ id: contractIdOf(faucet.address), amount: '3' }]);
    expect(await network.api.get(`/events/contract/${faucet.address}/current-count`)).toBe(2);
    const { events, nextStart } = await network.api.get<{
      readonly events: readonly ContractEvent[];
      readonly nextStart: number;
    }>(`/events/contract/${faucet.address}?start=0`);
    expect([events.map(({ eventIndex, fields }) => [eventIndex, fields[1]!.value]), nextStart]).toEqual([
      [
        [0, '1'],
        [0, '2'],
      ],
      2,
    ]);
  });

  it('refuses 3 tokens with the code of its assertion, and nothing changes', async () => {
    const { api } = network;
    const state = await stateOf(faucet.address);
    const balance = await api.get<BalanceForm>(`/addresses/${key.address}/balance`);
    const tried = await api.send('POST', '/contracts/unsigned-tx/execute-script', {
      body: await script(faucet.address, 3),
    });
    expect([tried.status, detailOf(tried)]).toEqual([
      400,
      `The script failed while estimating its gas: ${assertionText(faucet.address)}`,
    ]);
    expect(tried.headers).toMatchObject({ ...failedAssertion, 'x-failed-contract': faucet.address });
    // A client that gives the gas is told the same, and the node does not take such a transaction of another builder.
    const given = await api.send('POST', '/contracts/unsigned-tx/execute-script', {
      body: await script(faucet.address, 3, 100_000),
    });
    expect([given.status, given.text]).toEqual([tried.status, tried.text]);
    const two = await script(faucet.address, 2, 100_000);
    const { unsignedTx } = await api.post<BuiltForm>('/contracts/unsigned-tx/execute-script', two);
    const three = decode(statefulScriptCodec, hexToBytes((await script(faucet.address, 3)).bytecode));
    const unsigned = { ...decode(unsignedTransactionCodec, hexToBytes(unsignedTx)), script: three };
    const txId = transactionId(unsigned);
    const changed = { txId, unsignedTx: bytesToHex(encode(unsignedTransactionCodec, unsigned)) };
    const submitted = await api.send('POST', '/transactions/submit', {
      body: { unsignedTx: changed.unsignedTx, signature: signOffline(changed, key) },
    });
    expect(submitted.status).toBe(400);
    expect(detailOf(submitted)).toBe(
      `Transaction ${txId} is refused: its script fails: ${assertionText(faucet.address)}`,
    );
    expect(submitted.headers).toMatchObject({ ...failedAssertion, 'x-failed-contract': faucet.address });
    expect(await stateOf(faucet.address)).toEqual(state);
    expect(await api.get(`/addresses/${key.address}/balance`)).toEqual(balance);
  });

  it('refuses more than it has: the subtraction underflows', async () => {
    const small = await deployFaucet(network.api, key, compiled.code, 1);
    const tried = await network.api.send('POST', '/contracts/unsigned-tx/execute-script', {
      body: await script(small.address, 2),
    });
    expect([tried.status, detailOf(tried)]).toEqual([
      400,
      'The script failed while estimating its gas: ' + 'ArithmeticError(Arithmetic error: U256Sub(U256(1), U256(2)))',
    ]);
    expect(tried.headers).toMatchObject({ 'x-failure': 'ArithmeticError', 'x-failed-contract': small.address });
    expect(await balanceLeft(small.address)).toEqual({ type: 'U256', value: '1' });
  });

  const test = (amount: number) => ({
    address: faucet.address,
    bytecode: compiled.code,
    initialImmFields: immutableFields(supply),
    initialMutFields: [{ type: 'U256', value: '50' }],
    initialAsset: {
      attoCoinAmount: String(oneCoin),
      tokens: [{ id: contractIdOf(faucet.address), amount: '50' }],
    },
    methodIndex: compiled.method('withdraw'),
    args: [{ type: 'U256', value: String(amount) }],
    inputAssets: [{ address: key.address, asset: { attoCoinAmount: String(oneCoin) } }],
  });

  it('runs as a unit test without a change of the chain', async () => {
    const state = await stateOf(faucet.address);
    const count = await network.api.get(`/events/contract/${faucet.address}/current-count`);
    const result = await network.api.post<{
      readonly contracts: readonly StateForm[];
      readonly events: readonly ContractEvent[];
    }>('/contracts/test-contract', test(2));
    expect(result).toMatchObject({
      returns: [],
      contracts: [{ mutFields: [{ type: 'U256', value: '48' }], asset: { tokens: [{ amount: '48' }] } }],
      events: [{ eventIndex: 0, fields: [{ value: key.address }, { type: 'U256', value: '2' }] }],
      debugMessages: [{ contractAddress: faucet.address, message: debugText(50, 2) }],
    });
    expect(await stateOf(faucet.address)).toEqual(state);
    expect(await network.api.get(`/events/contract/${faucet.address}/current-count`)).toBe(count);
  });

  it('fails as a unit test where it would fail on the chain', async () => {
    const answer = await network.api.send('POST', '/contracts/test-contract', { body: test(3) });
    expect([answer.status, detailOf(answer)]).toEqual([
      400,
      `> Contract @ ${faucet.address} - ${debugText(50, 3)}\nThe method fails: ${assertionText(faucet.address)}`,
    ]);
    expect(answer.headers).toMatchObject({
      ...failedAssertion,
      'x-error-code': 'ContractTestFailed',
      'x-failed-contract': faucet.address,
    });
  });

  it('answers calls of its methods, also of several at once', async () => {
    const call = { group: 0, address: faucet.address, methodIndex: compiled.method('getBalance') };
    const { results } = await network.api.post<{
      readonly results: readonly { readonly type: string; readonly returns?: readonly unknown[] }[];
    }>('/contracts/multicall-contract', {
      calls: [
        call,
        { ...call, methodIndex: compiled.method('getSymbol') },
        { ...call, worldStateBlockHash: faucet.deployed.blockHash },
        { ...call, group: 1 },
      ],
    });
    expect(results.map(({ type, returns }) => [type, returns])).toEqual([
      ['CallContractSucceeded', [{ type: 'U256', value: String(supply - 3) }]],
      ['CallContractSucceeded', [{ type: 'ByteVec', value: '5446' }]],
      ['CallContractSucceeded', [{ type: 'U256', value: String(supply) }]],
      ['CallContractFailed', undefined],
    ]);
  });
});
