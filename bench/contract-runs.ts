import autocannon from 'autocannon';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { contractCodec, valsCodec } from '@shardnode/protocol/script';
import { call } from './http-client.js';
import { type NetworkProcess, startCluster, startNetwork } from './network-process.js';
import { counted, isShort, type Row, seconds } from './rows.js';
import { confirmed, fundedKeys } from './senders.js';
import { hasServers } from './servers.js';
import { temporaryFolder } from './temporary-folder.js';
import { noneSold, tokenContract } from './token-calls.js';

const connections = 32;
/** Warm-up calls before the measurement: code is fast after some thousand runs. */
const warmUp = isShort ? 300 : 5_000;

interface BuiltDeployment {
  readonly unsignedTx: string;
  readonly txId: string;
  readonly contractAddress: string;
}

/** Deploys the token of `token-calls`; gives its address. */
const deploy = async (baseUrl: string): Promise<string> => {
  const from = fundedKeys[0]!;
  const fields = bytesToHex(encode(valsCodec, [])) + bytesToHex(encode(valsCodec, noneSold));
  const built = await call<BuiltDeployment>(baseUrl, 'POST', '/contracts/unsigned-tx/deploy-contract', {
    fromPublicKey: bytesToHex(from.publicKey),
    bytecode: bytesToHex(encode(contractCodec, tokenContract)) + fields,
  });
  const signature = bytesToHex(sign(hexToBytes(built.txId), from.privateKey));
  await call(baseUrl, 'POST', '/transactions/submit', { unsignedTx: built.unsignedTx, signature });
  await confirmed(baseUrl, built.txId);
  return built.contractAddress;
};

/** Calls of a method that reads a field. */
const rowsOf = async ({ baseUrl }: NetworkProcess): Promise<Row> => {
  const body = { group: 0, address: await deploy(baseUrl), methodIndex: 1 };
  const { type } = await call<{ type: string }>(baseUrl, 'POST', '/contracts/call-contract', body);
  if (type !== 'CallContractSucceeded') throw new Error(`a call is ${type}`);
  const load = {
    url: `${baseUrl}/contracts/call-contract`,
    method: 'POST',
    connections,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
    workers: 1,
  } as const;
  await autocannon({ ...load, amount: warmUp });
  const { requests, latency, non2xx, errors } = await autocannon({
    ...load,
    ...(isShort ? { amount: 300 } : { duration: seconds }),
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} calls failed`);
  return {
    row: `call-contract, ${connections} connections`,
    figure: `${counted(requests.average, '/s')}, p50 ${latency.p50.toFixed(0)}, p99 ${latency.p99.toFixed(0)} ms`,
    bar: '1,000 /s',
  };
};

const measured = async (network: NetworkProcess): Promise<Row> => {
  try {
    return await rowsOf(network);
  } finally {
    await network.stop();
  }
};

/** `call-contract` over HTTP, embedded and over processes. The services come from `dist`. */
export const contractRunRows = async (): Promise<Row[]> => {
  const folder = temporaryFolder();
  try {
    const row = await measured(await startNetwork(folder.path));
    if (!hasServers()) return [row];
    return [{ ...row, cluster: (await measured(await startCluster())).figure }];
  } finally {
    folder.remove();
  }
};
