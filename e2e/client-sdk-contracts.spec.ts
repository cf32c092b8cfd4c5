import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  callMethod,
  Contract,
  type ContractEvent,
  ContractFactory,
  ContractInstance,
  DUST_AMOUNT,
  ExecutableScript,
  type Fields,
  fetchContractState,
  getContractEventsCurrentCount,
  multicallMethods,
  NodeProvider,
  ONE_ALPH,
  Script,
  signExecuteMethod,
  subscribeContractCreatedEvent,
  subscribeContractEvents,
  testMethod,
  waitForTxConfirmation,
  web3,
} from '@alephium/web3';
import { PrivateKeyWallet } from '@alephium/web3-wallet';
import { describeNetwork } from './kit/deployment-under-test.js';
import { compileFaucet, contractIdOf, faucetSource, withdrawSource } from './kit/faucet.js';
import { type Network, startNetwork } from './kit/network.js';
import { waitFor } from './kit/wait-for.js';

/** Milliseconds between two questions of the client. */
const polling = 50;

class FaucetInstance extends ContractInstance {}
class FaucetFactory extends ContractFactory<FaucetInstance> {
  at(address: string): FaucetInstance {
    return new FaucetInstance(address);
  }
}
const initialFields = { symbol: '5446', name: '546f6b656e466175636574', decimals: 18n, supply: 100n, balance: 100n };

/** Contracts of the public client library against our network, unmodified, from their source. */
describeNetwork('contracts of the public client library', () => {
  let network: Network;
  let provider: NodeProvider;
  let signer: PrivateKeyWallet;
  let contract: Contract;
  let factory: FaucetFactory;
  let withdrawal: ExecutableScript<{ readonly faucet: string; readonly amount: bigint }>;
  let faucet: FaucetInstance;
  const byCodeHash = (): Contract => contract;
  const created: ContractEvent<Fields>[] = [];
  const errors: unknown[] = [];
  const subscription = (found: ContractEvent<Fields>[]) => ({
    pollingInterval: polling,
    messageCallback: (event: ContractEvent<Fields>): void => void found.push(event),
    errorCallback: (error: unknown): void => void errors.push(error),
  });

  beforeAll(async () => {
    network = await startNetwork({ API_PROFILE: 'reference' });
    provider = new NodeProvider(network.deployment.baseUrl);
    web3.setCurrentNodeProvider(provider);
    signer = new PrivateKeyWallet({ privateKey: Buffer.from(network.funded[0]!.privateKey).toString('hex') });
  });
  afterAll(() => network?.remove());

  it('compiles', async () => {
    contract = Contract.fromCompileResult(
      await provider.contracts.postContractsCompileContract({ code: faucetSource }),
    );
    factory = new FaucetFactory(contract);
    const script = await provider.contracts.postContractsCompileScript({ code: `${withdrawSource}\n${faucetSource}` });
    withdrawal = new ExecutableScript(Script.fromCompileResult(script));
    expect(contract.name).toBe('TokenFaucet');
  });

  it('deploys the faucet', async () => {
    const news = subscribeContractCreatedEvent(subscription(created) as never, 0);
    try {
      const deployed = await factory.deploy(signer, { initialFields, issueTokenAmount: 100n });
      await waitForTxConfirmation(deployed.txId, 1, polling);
      faucet = deployed.contractInstance;
      await waitFor('the news of it', () => Promise.resolve(created.length > 0 || undefined));
    } finally {
      news.unsubscribe();
    }
    expect(created[0]!.fields).toMatchObject({ address: faucet.address });
    expect(await provider.addresses.getAddressesAddressGroup(faucet.address)).toEqual({ group: faucet.groupIndex });
  });

  it('reads its state', async () => {
    const state = await fetchContractState(factory, faucet);
    expect(state).toMatchObject({
      address: faucet.address,
      contractId: contractIdOf(faucet.address),
      bytecode: (await compileFaucet(network.api)).code,
      codeHash: contract.codeHashDebug,
      fields: initialFields,
      asset: { alphAmount: ONE_ALPH, tokens: [{ id: faucet.contractId, amount: 100n }] },
    });
  });

  it('calls its methods', async () => {
    const balance = await callMethod(factory, faucet, 'getBalance', {}, byCodeHash);
    expect(balance.returns).toBe(100n);
    // The library takes the result of method n for call n, so the calls are of the first methods.
    const all = await multicallMethods(factory, faucet, { getSymbol: {}, getName: {} }, byCodeHash);
    expect([all['getSymbol']!.returns, all['getName']!.returns]).toEqual([initialFields.symbol, initialFields.name]);
  });

  it('withdraws, and hears of it', async () => {
    const events: ContractEvent<Fields>[] = [];
    const news = subscribeContractEvents(contract, faucet, subscription(events) as never);
    try {
      for (const amount of [1, 2]) {
        // The library's own script has no coins for the output of the tokens.
        const { txId } = await withdrawal.execute(signer, {
          initialFields: { faucet: faucet.contractId, amount: BigInt(amount) },
          attoAlphAmount: DUST_AMOUNT,
        });
        await waitForTxConfirmation(txId, 1, polling);
      }
      await waitFor('the events', () => Promise.resolve(events.length >= 2 || undefined));
    } finally {
      news.unsubscribe();
    }
    expect(events.map(({ name, fields }) => [name, fields['to'], fields['amount']])).toEqual([
      ['Withdraw', signer.address, 1n],
      ['Withdraw', signer.address, 2n],
    ]);
    expect(await getContractEventsCurrentCount(faucet.address)).toBe(2);
    const { fields } = await fetchContractState(factory, faucet);
    expect(fields['balance']).toBe(97n);
    expect(errors).toEqual([]);
  });

  it('is told why it may not withdraw more', async () => {
    const withdrawn = signExecuteMethod(factory, faucet, 'withdraw', {
      signer,
      args: { amount: 3n },
      attoAlphAmount: DUST_AMOUNT,
    });
    await expect(withdrawn).rejects.toThrow(`Assertion Failed in Contract @ ${faucet.address}, Error Code: 0`);
  });

  it('runs unit tests', async () => {
    const address = faucet.address;
    const parameters = (amount: bigint) => ({
      address,
      initialFields,
      initialAsset: { alphAmount: ONE_ALPH, tokens: [{ id: faucet.contractId, amount: 100n }] },
      testArgs: { amount },
      inputAssets: [{ address: signer.address, asset: { alphAmount: ONE_ALPH } }],
    });
    const result = await testMethod(factory, 'withdraw', parameters(2n), byCodeHash);
    expect(result.contracts[0]!.fields['balance']).toBe(98n);
    expect(result.events.map(({ name, fields }) => [name, fields['amount']])).toEqual([['Withdraw', 2n]]);
    expect(result.debugMessages).toEqual([{ contractAddress: address, message: 'balance: 100, amount: 2' }]);
    await expect(testMethod(factory, 'withdraw', parameters(3n), byCodeHash)).rejects.toThrow(
      `Assertion Failed in Contract @ ${address}, Error Code: 0`,
    );
  });

  it('spends from a key of the other kind of signature', async () => {
    const schnorr = PrivateKeyWallet.Random(1, provider, 'bip340-schnorr');
    const to = PrivateKeyWallet.Random(2).address;
    const balanceOf = async (address: string): Promise<bigint> =>
      BigInt((await provider.addresses.getAddressesAddressBalance(address)).balance);
    const pay = async (from: PrivateKeyWallet, address: string, amount: bigint): Promise<void> => {
      const { txId } = await from.signAndSubmitTransferTx({
        signerAddress: from.address,
        signerKeyType: from.keyType,
        destinations: [{ address, attoAlphAmount: amount }],
      });
      await waitForTxConfirmation(txId, 1, polling);
    };
    await pay(signer, schnorr.address, 5n * ONE_ALPH);
    await waitFor('its coins', async () => ((await balanceOf(schnorr.address)) === 5n * ONE_ALPH ? true : undefined));
    await pay(schnorr, to, ONE_ALPH);
    await waitFor('the payment', async () => ((await balanceOf(to)) === ONE_ALPH ? true : undefined));
    expect(await balanceOf(schnorr.address)).toBeLessThan(4n * ONE_ALPH);
  });
});
