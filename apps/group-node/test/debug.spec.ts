import { it } from '@jest/globals';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { coin, TestNetwork } from './support/network.js';
it('debug', async () => {
  const network = await TestNetwork.open();
  const rich = await developmentKeys();
  const receiver = testKeyOfGroup(0);
  const a = await network.transfer(rich[0]!, [{ key: receiver, amount: 3n * coin }]);
  console.info(await network.status(0, a.txId));
  const b = await network.transfer(receiver, [{ key: rich[0]!, amount: coin }]);
  console.info(await network.status(0, b.txId));
  await network.close();
});
