import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ExplorerProvider, NodeProvider, ONE_ALPH, web3 } from '@alephium/web3';
import { PrivateKeyWallet } from '@alephium/web3-wallet';
import { until } from '@shardnode/testing/waiting';
import { describeEmbedded } from '../../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../../kit/network.js';

describeEmbedded("the public client library's explorer beside its node", () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork({ API_PROFILE: 'reference', EXPLORER: 'on', EXPLORER_PORT: '0' });
  });
  afterAll(() => network?.remove());

  it('agrees with the node about a payment', async () => {
    const node = new NodeProvider(network.deployment.baseUrl);
    const explorer = new ExplorerProvider(network.ready.explorerUrl!);
    web3.setCurrentNodeProvider(node);
    const from = new PrivateKeyWallet({ privateKey: Buffer.from(network.funded[0]!.privateKey).toString('hex') });
    const to = PrivateKeyWallet.Random(2).address;
    const { txId } = await from.signAndSubmitTransferTx({
      signerAddress: from.address,
      destinations: [{ address: to, attoAlphAmount: 3n * ONE_ALPH }],
    });
    const { transactions } = explorer;
    await until('the payment is accepted', async () => {
      const found = await transactions.getTransactionsTransactionHash(txId).catch(() => undefined);
      return found?.type === 'Accepted';
    });
    const [details, ofNode] = [
      await transactions.getTransactionsTransactionHash(txId),
      await node.transactions.getTransactionsDetailsTxid(txId),
    ];
    const outputs = ofNode.unsigned.fixedOutputs.map(({ hint, key, attoAlphAmount, address }) => ({
      hint,
      key,
      attoAlphAmount,
      address,
    }));
    expect(details).toMatchObject({ outputs, gasPrice: ofNode.unsigned.gasPrice, scriptExecutionOk: true });
    const { blockHash } = details as typeof details & { readonly blockHash: string };
    const { hash, timestamp, chainFrom, chainTo, height } = await node.blockflow.getBlockflowBlocksBlockHash(blockHash);
    const block = await explorer.blocks.getBlocksBlockHash(blockHash);
    expect(block).toMatchObject({ hash, timestamp, chainFrom, chainTo, height });
    for (const address of [from.address, to]) {
      const { balance, lockedBalance } = await node.addresses.getAddressesAddressBalance(address);
      expect(await explorer.addresses.getAddressesAddressBalance(address)).toEqual({ balance, lockedBalance });
    }
  });
});
