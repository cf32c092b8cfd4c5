import { type IncomingHttpHeaders } from 'node:http';

/** Requests that cost as much as several, by method and path, because of their reads, signatures or key derivations. */
export const requestWeights: Readonly<Record<string, number>> = {
  'POST /wallets': 5,
  'PUT /wallets': 5,
  'POST /wallets/{wallet_name}/unlock': 5,
  'DELETE /wallets/{wallet_name}': 5,
  'POST /wallets/{wallet_name}/reveal-mnemonic': 5,
  'POST /wallets/{wallet_name}/transfer': 2,
  'POST /wallets/{wallet_name}/sweep-active-address': 10,
  'POST /wallets/{wallet_name}/sweep-all-addresses': 10,
  'POST /wallets/{wallet_name}/derive-next-miner-addresses': 5,
  'GET /infos/history-hashrate': 5,
  'GET /addresses/{address}/utxos': 5,
  'GET /blockflow/blocks': 10,
  'GET /blockflow/blocks-with-events': 10,
  'POST /transactions/build': 2,
  'POST /transactions/build-multi-addresses': 10,
  'POST /transactions/sweep-address/build': 10,
  'POST /transactions/submit': 2,
  'POST /multisig/build': 2,
  'POST /multisig/sweep': 10,
  'POST /multisig/submit': 2,
  'POST /contracts/unsigned-tx/execute-script': 5,
  'POST /contracts/unsigned-tx/deploy-contract': 5,
  'POST /contracts/compile-script': 10,
  'POST /contracts/compile-contract': 10,
  'POST /contracts/compile-project': 10,
  'POST /contracts/test-contract': 10,
  'POST /contracts/call-contract': 5,
  'POST /contracts/multicall-contract': 20,
  'GET /mempool/transactions': 10,
  'PUT /mempool/transactions/validate': 10,
  'PUT /utils/check-hash-indexing': 10,
};

/** Bytes of a body that count as one more request. */
const bytesOfOne = 256 * 1024;
/** Bytes assumed for a body without a declared length. */
const untoldBytes = 1024 * 1024;

const byRoute: ReadonlyMap<string, number> = new Map(
  Object.entries(requestWeights).map(([name, weight]) => [name.replaceAll(/\{(\w+)\}/g, ':$1'), weight]),
);

/**
 * The number of requests that one counts for.
 * @param route of the server, `/wallets/:wallet_name`; undefined for an unknown path
 * @param headers `content-length`, or `transfer-encoding` of a chunked body
 */
export const weightOf = (method: string, route: string | undefined, headers: IncomingHttpHeaders): number => {
  const isInPieces = headers['transfer-encoding'] !== undefined;
  const bytes = isInPieces ? untoldBytes : Number(headers['content-length'] ?? 0);
  const ofBody = Number.isSafeInteger(bytes) && bytes > 0 ? Math.floor(bytes / bytesOfOne) : 0;
  // HEAD is processed like GET, only without sending the body.
  return (byRoute.get(`${method === 'HEAD' ? 'GET' : method} ${route}`) ?? 1) + ofBody;
};
