/** Operations of the recorded requests (protocol 08 §5), the longest first where several fit. */
const endpoints = [
  'GET /blocks',
  'GET /blocks/{block_hash}',
  'GET /blocks/{block_hash}/transactions',
  'GET /transactions',
  'GET /transactions/{transaction_hash}',
  'POST /transactions/decode-unsigned-tx',
  'POST /addresses/used',
  'POST /addresses/transactions',
  'GET /addresses/{address}',
  'GET /addresses/{address}/balance',
  'GET /addresses/{address}/transactions',
  'GET /addresses/{address}/timeranged-transactions',
  'GET /addresses/{address}/total-transactions',
  'GET /addresses/{address}/latest-transaction',
  'GET /addresses/{address}/mempool/transactions',
  'GET /addresses/{address}/tokens',
  'GET /addresses/{address}/tokens-balance',
  'GET /addresses/{address}/tokens/{token_id}/balance',
  'GET /addresses/{address}/tokens/{token_id}/transactions',
  'GET /addresses/{address}/public-key',
  'GET /addresses/{address}/export-transactions/csv',
  'GET /addresses/{address}/amount-history',
  'GET /contract-events/transaction-id/{transaction_id}',
  'GET /contract-events/contract-address/{contract_address}',
  'GET /contract-events/contract-address/{contract_address}/input-address/{input_address}',
  'GET /contracts/{contract_address}/current-liveness',
  'GET /contracts/{contract_address}/parent',
  'GET /contracts/{contract_address}/sub-contracts',
  'GET /infos',
  'GET /infos/heights',
  'GET /infos/total-transactions',
  'GET /infos/average-block-times',
  'GET /infos/supply',
  'GET /infos/supply/{kind}',
  'GET /charts/{kind}',
  'GET /tokens',
  'POST /tokens',
  'POST /tokens/{kind}',
  'GET /tokens/holders/coin',
  'GET /tokens/holders/token/{token_id}',
  'GET /tokens/{token_id}',
  'GET /tokens/{token_id}/transactions',
  'GET /tokens/{token_id}/addresses',
  'GET /mempool/transactions',
] as const;

export type Endpoint = (typeof endpoints)[number] | 'others';

const partsOf = (path: string): string[] => path.replace(/\?.*$/s, '').replace(/\/$/, '').split('/');

const fits = (endpoint: string, method: string, parts: readonly string[]): boolean => {
  const [ofMethod, path] = endpoint.split(' ') as [string, string];
  const own = partsOf(path);
  return (
    ofMethod === method &&
    own.length === parts.length &&
    own.every((part, i) => part.startsWith('{') || part === parts[i])
  );
};

/** The operation of a request; `others` for paths and methods that none has. */
export const endpointOf = ({ method, path }: { readonly method: string; readonly path: string }): Endpoint => {
  const parts = partsOf(path);
  return endpoints.find((endpoint) => fits(endpoint, method, parts)) ?? 'others';
};
