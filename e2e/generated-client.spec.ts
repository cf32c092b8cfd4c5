import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type OpenAPI3 } from 'openapi-typescript';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type DayReport, type Surroundings } from './generated-client/day-report.js';
import { describeNetwork } from './kit/deployment-under-test.js';
import { StrictClient } from './kit/generated-client/strict-client.js';
import { startNetwork, type Network } from './kit/network.js';

const sources = fileURLToPath(new URL('generated-client', import.meta.url));

describeNetwork('a client generated from the description of the API', () => {
  let network: Network;
  let client: StrictClient;
  beforeAll(async () => {
    network = await startNetwork();
    const description = await network.api.get<OpenAPI3>('/docs/openapi.json');
    client = await StrictClient.generate(description, sources, 'exchange-day.ts');
  });
  afterAll(async () => {
    await network?.remove();
    await client?.remove();
  });

  it('compiles under strict', () => {
    expect(client.compile()).toEqual([]);
  });

  it("runs the exchange's day", async () => {
    const { exchangeDay } = await client.load<{ exchangeDay(surroundings: Surroundings): Promise<DayReport> }>();
    const deposit = testKeyOfGroup(2);
    const report = await exchangeDay({
      baseUrl: network.deployment.baseUrl,
      mnemonic: network.ready.mnemonic!,
      walletName: 'hot-wallet',
      deposit: { address: deposit.address, publicKey: bytesToHex(deposit.publicKey) },
      signAsCustomer: (txId) => bytesToHex(sign(hexToBytes(txId), deposit.privateKey)),
    });
    expect(report).toEqual({
      activeAddress: network.funded[0]!.address,
      confirmations: expect.any(Number),
      depositedAttoCoin: '3000000000000000001',
      blockHasTransaction: true,
      spentOutput: { hint: expect.any(Number), key: expect.stringMatching(/^[0-9a-f]{64}$/) },
      unspentAfterwards: 1,
      refusal: expect.stringMatching(/^Not enough balance/),
      chains: 16,
    });
    expect(report.confirmations).toBeGreaterThanOrEqual(1);
  });
});
