import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  addressFromPublicKey,
  BlockSubscription,
  codec,
  DUST_AMOUNT,
  groupOfAddress,
  hexToBinUnsafe,
  NodeProvider,
  type node,
  ONE_ALPH,
  subscribeToTxStatus,
  transactionSign,
  transactionVerifySignature,
  waitForTxConfirmation,
  web3,
} from '@alephium/web3';
import { HDWallet, NodeWallet, PrivateKeyWallet } from '@alephium/web3-wallet';
import { describeNetwork } from './kit/deployment-under-test.js';
import { groups } from './kit/chains.js';
import { type Network, startNetwork } from './kit/network.js';
import { waitFor } from './kit/wait-for.js';

/** Milliseconds between two questions of the client. */
const polling = 50;

/**
 * The public client library against our network, unmodified: what it sends, and what it makes of every answer. The names of
 * the coin and the forms of answers are those that it knows (00-decisions, 20).
 */
describeNetwork('the public client library', () => {
  let network: Network;
  let provider: NodeProvider;
  beforeAll(async () => {
    network = await startNetwork({ API_PROFILE: 'reference' });
    provider = new NodeProvider(network.deployment.baseUrl);
    web3.setCurrentNodeProvider(provider);
  });
  afterAll(() => network?.remove());

  const balanceOf = async (address: string): Promise<bigint> =>
    BigInt((await provider.addresses.getAddressesAddressBalance(address)).balance);
  const funded = (group: number): PrivateKeyWallet =>
    new PrivateKeyWallet({ privateKey: Buffer.from(network.funded[group]!.privateKey).toString('hex') });
  const pay = async (from: PrivateKeyWallet, address: string, amount: bigint): Promise<string> => {
    const { txId } = await from.signAndSubmitTransferTx({
      signerAddress: from.address,
      destinations: [{ address, attoAlphAmount: amount }],
    });
    await waitForTxConfirmation(txId, 1, polling);
    return txId;
  };

  it('reads what the node says of itself', async () => {
    const [version, clique, parameters] = await Promise.all([
      provider.infos.getInfosVersion(),
      provider.infos.getInfosSelfClique(),
      provider.infos.getInfosChainParams(),
    ]);
    // Clients of sweeps want 2.3.0, the tools of this client 2.14 (protocol 07, Appendix A).
    const [, major, minor] = /^v(\d+)\.(\d+)\.\d+$/.exec(version.version)!.map(Number);
    expect(major).toBe(2);
    expect(minor).toBeGreaterThanOrEqual(14);
    expect(clique).toMatchObject({ selfReady: true, synced: true });
    expect(clique.nodes.length).toBeGreaterThan(0);
    expect(parameters).toMatchObject({ networkId: 4, groups: 4 });
  });

  it('knows the accounts of the network by its own rules', async () => {
    for (const group of groups) {
      const wallet = funded(group);
      expect(wallet.address).toBe(network.funded[group]!.address);
      expect([wallet.group, groupOfAddress(wallet.address)]).toEqual([group, group]);
      expect(await provider.addresses.getAddressesAddressGroup(wallet.address)).toEqual({ group });
      expect(await balanceOf(wallet.address)).toBe(1_000_000n * ONE_ALPH);
    }
  });

  it('pays from a private key to all groups, and decodes what it signs', async () => {
    const from = funded(0);
    for (const group of groups) {
      const to = PrivateKeyWallet.Random(group);
      const built = await from.buildTransferTx({
        signerAddress: from.address,
        destinations: [{ address: to.address, attoAlphAmount: 3n * ONE_ALPH + DUST_AMOUNT }],
      });
      const signature = await from.signRaw(from.address, built.txId);
      expect(transactionVerifySignature(built.txId, from.publicKey, signature)).toBe(true);
      const parsed = codec.unsignedTxCodec.decodeApiUnsignedTx(hexToBinUnsafe(built.unsignedTx));
      const ours = await provider.transactions.postTransactionsDecodeUnsignedTx({ unsignedTx: built.unsignedTx });
      expect([ours.fromGroup, ours.toGroup]).toEqual([0, group]);
      expect(ours.unsignedTx).toEqual(parsed);
      await provider.transactions.postTransactionsSubmit({ unsignedTx: built.unsignedTx, signature });
      await waitForTxConfirmation(built.txId, 1, polling);
      await waitFor('the receiver to see it', async () =>
        (await balanceOf(to.address)) === 3n * ONE_ALPH + DUST_AMOUNT ? true : undefined,
      );
      const details = await provider.transactions.getTransactionsDetailsTxid(built.txId);
      expect(details.unsigned).toEqual(parsed);
    }
  });

  it('pays to a key of the other kind of signature', async () => {
    const schnorr = PrivateKeyWallet.Random(1, provider, 'bip340-schnorr');
    await pay(funded(1), schnorr.address, 5n * ONE_ALPH);
    expect(await balanceOf(schnorr.address)).toBe(5n * ONE_ALPH);
  });

  it('derives accounts of all groups from words, and pays from each', async () => {
    const wallet = new HDWallet({ mnemonic: network.ready.mnemonic });
    const accounts = groups.map((group) => wallet.deriveAndAddNewAccount(group));
    expect(accounts.map(({ group }) => group)).toEqual([...groups]);
    const to = PrivateKeyWallet.Random(3).address;
    for (const { address, publicKey } of accounts) {
      expect(addressFromPublicKey(publicKey)).toBe(address);
      if ((await balanceOf(address)) === 0n) await pay(funded(0), address, 10n * ONE_ALPH);
      const { txId } = await wallet.signAndSubmitTransferTx({
        signerAddress: address,
        destinations: [{ address: to, attoAlphAmount: ONE_ALPH }],
      });
      await waitForTxConfirmation(txId, 1, polling);
    }
    await waitFor('all four payments', async () => ((await balanceOf(to)) === 4n * ONE_ALPH ? true : undefined));
  });

  it("uses the node's wallets", async () => {
    const [password, walletName] = ['a password', 'sdk'];
    await provider.wallets.putWallets({ password, mnemonic: network.ready.mnemonic, walletName });
    const wallet = new NodeWallet(walletName, provider);
    await wallet.lock();
    await wallet.unlock(password);
    const [account] = await wallet.getAccounts();
    expect(account).toMatchObject({ address: network.funded[0]!.address, group: 0 });
    const { balances, totalBalance } = await provider.wallets.getWalletsWalletNameBalances(walletName);
    expect(BigInt(totalBalance)).toBe(await balanceOf(account!.address));
    expect(balances.map(({ address }) => address)).toEqual([account!.address]);
    const to = PrivateKeyWallet.Random(2).address;
    const { txId } = await wallet.signAndSubmitTransferTx({
      signerAddress: account!.address,
      destinations: [{ address: to, attoAlphAmount: 7n * ONE_ALPH }],
    });
    await waitForTxConfirmation(txId, 1, polling);

    const derived = await provider.wallets.postWalletsWalletNameDeriveNextAddress(walletName, { group: 3 });
    expect(groupOfAddress(derived.address)).toBe(3);
    const moved = await provider.wallets.postWalletsWalletNameTransfer(walletName, {
      destinations: [{ address: network.funded[1]!.address, attoAlphAmount: ONE_ALPH.toString() }],
    });
    await waitForTxConfirmation(moved.txId, 1, polling);
    await provider.wallets.postWalletsWalletNameChangeActiveAddress(walletName, { address: account!.address });
    const sweeps = await provider.wallets.postWalletsWalletNameSweepActiveAddress(walletName, {
      toAddress: account!.address,
    });
    expect(sweeps.results.length).toBeGreaterThan(0);
    for (const sweep of sweeps.results) await waitForTxConfirmation(sweep.txId, 1, polling);
    const { utxos } = await provider.addresses.getAddressesAddressUtxos(account!.address);
    expect(utxos).toHaveLength(1);
  });

  it('sweeps an address into another', async () => {
    const from = PrivateKeyWallet.Random(2);
    for (let i = 0; i < 3; i++) await pay(funded(2), from.address, 2n * ONE_ALPH);
    const to = PrivateKeyWallet.Random(0).address;
    const { unsignedTxs } = await provider.transactions.postTransactionsSweepAddressBuild({
      fromPublicKey: from.publicKey,
      toAddress: to,
    });
    expect(unsignedTxs).toHaveLength(1);
    for (const { unsignedTx, txId } of unsignedTxs) {
      await provider.transactions.postTransactionsSubmit({
        unsignedTx,
        signature: transactionSign(txId, from.privateKey),
      });
      await waitForTxConfirmation(txId, 1, polling);
    }
    expect(await balanceOf(from.address)).toBe(0n);
    await waitFor('the swept coins', async () => ((await balanceOf(to)) > 5n * ONE_ALPH ? true : undefined));
  });

  it('pays and sweeps with 2 of 3 keys', async () => {
    const owners = [PrivateKeyWallet.Random(0), PrivateKeyWallet.Random(1), PrivateKeyWallet.Random(2)];
    const { address } = await provider.multisig.postMultisigAddress({
      keys: owners.map(({ publicKey }) => publicKey),
      mrequired: 2,
    });
    await pay(funded(3), address, 20n * ONE_ALPH);
    const signers = [owners[0]!, owners[2]!];
    const fromPublicKeys = signers.map(({ publicKey }) => publicKey);
    const submit = async ({ unsignedTx, txId }: { unsignedTx: string; txId: string }): Promise<void> => {
      const signatures = signers.map(({ privateKey }) => transactionSign(txId, privateKey));
      await provider.multisig.postMultisigSubmit({ unsignedTx, signatures });
      await waitForTxConfirmation(txId, 1, polling);
    };
    await waitFor('coins of the shared address', async () =>
      (await balanceOf(address)) === 20n * ONE_ALPH ? true : undefined,
    );
    const to = PrivateKeyWallet.Random(1).address;
    await submit(
      await provider.multisig.postMultisigBuild({
        fromAddress: address,
        fromPublicKeys,
        destinations: [{ address: to, attoAlphAmount: ONE_ALPH.toString() }],
      }),
    );
    const { unsignedTxs } = await provider.multisig.postMultisigSweep({
      fromAddress: address,
      fromPublicKeys,
      toAddress: to,
    });
    for (const sweep of unsignedTxs) await submit(sweep);
    expect(await balanceOf(address)).toBe(0n);
  });

  it('subscribes to blocks of a chain, and to the status of a transaction', async () => {
    const blocks: node.BlockEntry[] = [];
    const errors: unknown[] = [];
    const { currentHeight } = await provider.blockflow.getBlockflowChainInfo({ fromGroup: 0, toGroup: 1 });
    const subscription = new BlockSubscription(
      {
        pollingInterval: polling,
        messageCallback: (block) => void blocks.push(block),
        errorCallback: (error) => void errors.push(error),
      },
      0,
      1,
      currentHeight,
      provider,
    );
    subscription.subscribe();
    const txId = await pay(funded(0), funded(1).address, ONE_ALPH);
    const statuses: node.TxStatus[] = [];
    const status = subscribeToTxStatus(
      {
        pollingInterval: polling,
        messageCallback: (one) => void statuses.push(one),
        errorCallback: (error) => void errors.push(error),
      },
      txId,
    );
    try {
      await waitFor('the block of the transaction', () =>
        Promise.resolve(
          blocks.some(({ transactions }) => transactions.some((one) => one.unsigned.txId === txId)) || undefined,
        ),
      );
      await waitFor('its status', () => Promise.resolve(statuses.at(-1)?.type === 'Confirmed' || undefined));
    } finally {
      subscription.unsubscribe();
      status.unsubscribe();
    }
    expect(errors).toEqual([]);
    expect(blocks.map(({ height }) => height)).toEqual(blocks.map((_, i) => currentHeight + i));
  });

  it('understands every other answer that needs no contracts', async () => {
    const now = Date.now();
    const from = funded(0);
    const answers = await Promise.all([
      provider.infos.getInfosNode(),
      provider.infos.getInfosInterCliquePeerInfo(),
      provider.infos.getInfosDiscoveredNeighbors(),
      provider.infos.getInfosMisbehaviors(),
      provider.infos.getInfosUnreachable(),
      provider.infos.getInfosHistoryHashrate({ fromTs: now - 60_000 }),
      provider.infos.getInfosCurrentHashrate(),
      provider.infos.getInfosCurrentDifficulty(),
      provider.blockflow.getBlockflowBlocks({ fromTs: now - 60_000 }),
      provider.blockflow.getBlockflowBlocksWithEvents({ fromTs: now - 60_000 }),
      provider.blockflow.getBlockflowHashes({ fromGroup: 0, toGroup: 0, height: 0 }),
      provider.mempool.getMempoolTransactions(),
      provider.miners.getMinersAddresses(),
      provider.utils.putUtilsCheckHashIndexing(),
      provider.utils.postUtilsTargetToHashrate({ target: '1b032b55' }),
      provider.utils.postUtilsVerifySignature({
        data: '00'.repeat(32),
        signature: transactionSign('00'.repeat(32), from.privateKey),
        publicKey: from.publicKey,
      }),
    ]);
    expect(answers.at(-1)).toBe(true);
    await expect(provider.addresses.getAddressesAddressBalance('nonsense')).rejects.toThrow(/nonsense|address/i);
    await expect(provider.wallets.getWalletsWalletName('unknown')).rejects.toThrow(/unknown not found/);
  });
});
