import { type ExplorerProvider } from '@alephium/web3';
import { type Entry } from '../../../apps/explorer/test/recorded-answers/entries.js';

/** A recorded request, as the arguments of the client library. Its types do not know which operation a request is of. */
export interface SdkArguments {
  /** Of the path, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: never;
  readonly body: never;
}

type Call = (explorer: ExplorerProvider, given: SdkArguments) => Promise<unknown>;

const block = ({ path }: SdkArguments): string => path['block_hash']!;
const address = ({ path }: SdkArguments): string => path['address']!;
const token = ({ path }: SdkArguments): string => path['token_id']!;
const contract = ({ path }: SdkArguments): string => path['contract_address']!;

/** The operations of the client library that have recorded answers. */
export const sdkOperations: Readonly<Record<string, Call>> = {
  'GET /blocks': ({ blocks }, { query }) => blocks.getBlocks(query),
  'GET /blocks/{block_hash}': ({ blocks }, given) => blocks.getBlocksBlockHash(block(given)),
  'GET /blocks/{block_hash}/transactions': ({ blocks }, given) =>
    blocks.getBlocksBlockHashTransactions(block(given), given.query),
  'GET /transactions/{transaction_hash}': ({ transactions }, { path }) =>
    transactions.getTransactionsTransactionHash(path['transaction_hash']!),
  'POST /addresses/transactions': ({ addresses }, { query, body }) => addresses.postAddressesTransactions(query, body),
  'POST /addresses/used': ({ addresses }, { body }) => addresses.postAddressesUsed(body),
  'GET /addresses/{address}': ({ addresses }, given) => addresses.getAddressesAddress(address(given)),
  'GET /addresses/{address}/balance': ({ addresses }, given) => addresses.getAddressesAddressBalance(address(given)),
  'GET /addresses/{address}/transactions': ({ addresses }, given) =>
    addresses.getAddressesAddressTransactions(address(given), given.query),
  'GET /addresses/{address}/timeranged-transactions': ({ addresses }, given) =>
    addresses.getAddressesAddressTimerangedTransactions(address(given), given.query),
  'GET /addresses/{address}/total-transactions': ({ addresses }, given) =>
    addresses.getAddressesAddressTotalTransactions(address(given)),
  'GET /addresses/{address}/mempool/transactions': ({ addresses }, given) =>
    addresses.getAddressesAddressMempoolTransactions(address(given)),
  'GET /addresses/{address}/tokens': ({ addresses }, given) =>
    addresses.getAddressesAddressTokens(address(given), given.query),
  'GET /addresses/{address}/tokens-balance': ({ addresses }, given) =>
    addresses.getAddressesAddressTokensBalance(address(given), given.query),
  'GET /addresses/{address}/tokens/{token_id}/balance': ({ addresses }, given) =>
    addresses.getAddressesAddressTokensTokenIdBalance(address(given), token(given)),
  'GET /addresses/{address}/tokens/{token_id}/transactions': ({ addresses }, given) =>
    addresses.getAddressesAddressTokensTokenIdTransactions(address(given), token(given), given.query),
  'GET /addresses/{address}/export-transactions/csv': ({ addresses }, given) =>
    addresses.getAddressesAddressExportTransactionsCsv(address(given), given.query),
  'GET /addresses/{address}/amount-history': ({ addresses }, given) =>
    addresses.getAddressesAddressAmountHistory(address(given), given.query),
  'GET /infos': ({ infos }) => infos.getInfos(),
  'GET /infos/heights': ({ infos }) => infos.getInfosHeights(),
  'GET /infos/average-block-times': ({ infos }) => infos.getInfosAverageBlockTimes(),
  'GET /infos/supply': ({ infos }, { query }) => infos.getInfosSupply(query),
  'GET /infos/supply/circulating-coin': ({ infos }) => infos.getInfosSupplyCirculatingAlph(),
  'GET /mempool/transactions': ({ mempool }, { query }) => mempool.getMempoolTransactions(query),
  'GET /tokens': ({ tokens }, { query }) => tokens.getTokens(query),
  'POST /tokens': ({ tokens }, { body }) => tokens.postTokens(body),
  'POST /tokens/fungible-metadata': ({ tokens }, { body }) => tokens.postTokensFungibleMetadata(body),
  'POST /tokens/nft-metadata': ({ tokens }, { body }) => tokens.postTokensNftMetadata(body),
  'POST /tokens/nft-collection-metadata': ({ tokens }, { body }) => tokens.postTokensNftCollectionMetadata(body),
  'GET /tokens/{token_id}/transactions': ({ tokens }, given) =>
    tokens.getTokensTokenIdTransactions(token(given), given.query),
  'GET /tokens/{token_id}/addresses': ({ tokens }, given) =>
    tokens.getTokensTokenIdAddresses(token(given), given.query),
  'GET /charts/hashrates': ({ charts }, { query }) => charts.getChartsHashrates(query),
  'GET /charts/transactions-count': ({ charts }, { query }) => charts.getChartsTransactionsCount(query),
  'GET /charts/transactions-count-per-chain': ({ charts }, { query }) =>
    charts.getChartsTransactionsCountPerChain(query),
  'GET /contract-events/transaction-id/{transaction_id}': ({ contractEvents }, { path }) =>
    contractEvents.getContractEventsTransactionIdTransactionId(path['transaction_id']!),
  'GET /contract-events/contract-address/{contract_address}': ({ contractEvents }, given) =>
    contractEvents.getContractEventsContractAddressContractAddress(contract(given), given.query),
  'GET /contract-events/contract-address/{contract_address}/input-address/{input_address}': (
    { contractEvents },
    given,
  ) =>
    contractEvents.getContractEventsContractAddressContractAddressInputAddressInputAddress(
      contract(given),
      given.path['input_address']!,
      given.query,
    ),
  'GET /contracts/{contract_address}/parent': ({ contracts }, given) =>
    contracts.getContractsContractAddressParent(contract(given)),
  'GET /contracts/{contract_address}/sub-contracts': ({ contracts }, given) =>
    contracts.getContractsContractAddressSubContracts(contract(given), given.query),
};

const forms = Object.keys(sdkOperations).map((operation) => ({
  operation,
  form: new RegExp(`^${operation.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** A recorded request as a call of the client library; undefined when no operation of it is the request. */
export const sdkCallOf = ({
  method,
  path,
  body,
}: Entry): { readonly operation: string; readonly given: SdkArguments } | undefined => {
  const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
  const line = `${method} ${pathname}`;
  const found = forms.find(({ form }) => form.test(line));
  return (
    found && {
      operation: found.operation,
      given: {
        path: found.form.exec(line)!.groups ?? {},
        query: Object.fromEntries(searchParams) as never,
        body: body as never,
      },
    }
  );
};
