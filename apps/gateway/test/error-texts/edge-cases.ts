import { connect } from 'node:net';
import { testKeysOfGroup, testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { ServiceError } from '@shardnode/core/errors';
import { type Answer, type FakeGateway } from '../fakes/fake-network.js';
import { type ErrorCase } from './error-case.js';

const apiKey = '0123456789abcdef0123456789abcdef';
const readKey = 'r'.repeat(32);
const hash = 'ab'.repeat(32);
/** Of a contract of group 1. */
const contract = 'uqa8vVAySDGA5nbt6c5WXYXXuBWPghtDx6C8aE3VFXDZ';
const signature = '11'.repeat(64);
const [key, second] = testKeysOfGroup(0, 2) as [TestKey, TestKey];
const keyHex = bytesToHex(key.publicKey);
const miners = [0, 1, 2, 3].map((group) => testKeyOfGroup(group).address);

/** What a server answers to these bytes, as an answer of `fetch` would show it. */
const answerTo =
  (bytes: string) =>
  ({ base }: FakeGateway): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(base);
      let received = '';
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.on('data', (part) => (received += part.toString()));
      socket.on('error', reject);
      socket.on('end', () => {
        const [head = '', text = ''] = received.split('\r\n\r\n');
        const [status = '', ...lines] = head.split('\r\n');
        const headers = new Headers(lines.map((line) => line.split(': ') as [string, string]));
        resolve({ status: Number(status.split(' ')[1]), headers, text, body: JSON.parse(text) as unknown });
      });
    });

/** The second request of a client that may send one. */
const twice = async (gateway: FakeGateway): Promise<Answer> => {
  await gateway.send('GET', '/infos/version');
  return gateway.send('GET', '/infos/version');
};

const unknown = (code: string): never => {
  throw new ServiceError('not-found', code, 'is not there');
};

/** What the interface itself refuses, and what is not there. */
export const cases: readonly ErrorCase[] = [
  {
    code: 'RouteNotFound',
    call: ['GET', '/nowhere?password=x'],
    detail: 'There is no path /nowhere',
    documented: 'Resource not found',
    next: 'GET /docs/openapi.json',
  },
  {
    code: 'RouteNotFound',
    when: 'with nothing between two slashes',
    call: ['GET', '/wallets//addresses'],
    detail: 'There is no path /wallets//addresses',
    documented: 'Resource not found',
    next: 'GET /docs/openapi.json',
  },
  {
    code: 'MethodNotAllowed',
    call: ['DELETE', '/infos/version'],
    detail: 'DELETE is not allowed here, only GET',
  },
  {
    code: 'MalformedPath',
    call: ['GET', '/%'],
    detail: 'The path is not percent-encoded UTF-8, or is too long',
  },
  {
    code: 'MalformedRequest',
    call: answerTo('no request\r\n\r\n'),
    detail: 'The request is not HTTP',
  },
  {
    code: 'MalformedRequest',
    when: 'with two hosts',
    call: answerTo('GET /infos/version HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
    detail: 'The request has more than one header Host',
  },
  {
    code: 'ForeignOrigin',
    call: ['GET', '/infos/version', undefined, { origin: 'https://other.example' }],
    gateway: { corsOrigins: ['https://ours.example'] },
    detail:
      'A web page of the origin https://other.example may not make this request: list the origin in CORS_ORIGINS of the gateway.',
  },
  {
    code: 'ForeignOrigin',
    when: 'with a request that does not name it',
    call: ['GET', '/infos/version', undefined, { 'sec-fetch-site': 'cross-site' }],
    gateway: { corsOrigins: ['https://ours.example'] },
    detail:
      'A web page of another site may not make this request: list its origin in CORS_ORIGINS of the gateway, and let it send the header Origin.',
  },
  {
    code: 'ForeignHost',
    call: answerTo('GET /infos/version HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n'),
    detail:
      'The header Host has other.example, which is no address and no name of this service: list the name in HOST_NAMES.',
  },
  {
    code: 'HeadersTooLarge',
    call: answerTo(`GET /infos/version HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    detail: 'The headers have more than 16384 bytes',
  },
  {
    code: 'BodyTooLarge',
    call: ['POST', '/transactions/submit', 'x'.repeat(10_485_761)],
    detail: 'The body is larger than 10485760 bytes',
  },
  {
    code: 'InvalidRequest',
    call: ['POST', '/transactions/submit', {}],
    detail:
      'Invalid value for: body (unsignedTx: is missing, expected a text of hexadecimal digits; signature: is missing, expected a signature of 128 hexadecimal digits)',
    documented:
      'Invalid value for: body (missing keys in dictionary: unsignedTx, signature at index 1: decoding failure)',
    field: 'unsignedTx',
  },
  {
    code: 'InvalidRequest',
    when: 'with an amount that has no unit',
    call: [
      'POST',
      '/wallets/hot_1/transfer',
      {
        destinations: [
          { address: key.address, amount: '2.5' },
          { address: key.address, amount: '5 coins' },
        ],
      },
    ],
    detail:
      'Invalid value for: body (destinations[0].amount: expected a unit: for coins write "<decimal> COIN", without a unit a whole number of attoCoin, received "2.5"; destinations[1].amount: expected an amount: a text of digits (the smallest unit) or "<decimal> COIN", received "5 coins")',
    documented: 'Invalid value for: body (Invalid amount: 2.5 at index 84: decoding failure)',
    field: 'destinations[0].amount',
  },
  {
    code: 'InvalidBody',
    call: ['POST', '/transactions/submit', '{'],
    detail: 'Invalid value for: body (is not valid JSON at index 1)',
  },
  {
    code: 'InvalidHex',
    call: ['POST', '/transactions/submit', { unsignedTx: 'xyz', signature }],
    detail: 'unsignedTx is not hexadecimal: an even number of digits 0 to 9 and a to f.',
    documented: 'Invalid hex',
    field: 'unsignedTx',
  },
  {
    code: 'InvalidTransaction',
    call: ['POST', '/transactions/submit', { unsignedTx: '0004', signature }],
    detail: 'unsignedTx is not an unsigned transaction: Too few bytes: expected 1, got 0',
    documented: 'Too few bytes: expected 1, got 0',
    field: 'unsignedTx',
  },
  {
    code: 'EmptyInputs',
    call: ['POST', '/transactions/submit', { unsignedTx: '00040080004e20c1174876e8000000', signature }],
    detail: 'The transaction has no inputs: it needs at least one.',
    documented: 'Invalid transaction: empty inputs',
    field: 'unsignedTx',
  },
  {
    code: 'InvalidMultisig',
    call: ['POST', '/multisig/address', { keys: [keyHex], mrequired: 2 }],
    detail: 'mrequired is 2, but must be from 1 to 1, the number of keys.',
    documented: 'Invalid m-of-n multisig',
    field: 'mrequired',
  },
  {
    code: 'InvalidMultisig',
    when: 'with a key twice',
    call: ['POST', '/multisig/address', { keys: [keyHex, bytesToHex(second.publicKey), keyHex], mrequired: 2 }],
    detail: 'keys[2] is the same as keys[0]: the keys of a multisig address are all different.',
    field: 'keys[2]',
  },
  {
    code: 'InvalidMultisig',
    when: 'with too many keys',
    call: [
      'POST',
      '/multisig/address',
      { keys: testKeysOfGroup(1, 17).map((one) => bytesToHex(one.publicKey)), mrequired: 2 },
    ],
    detail: 'keys: a multisig address has at most 16 keys, got 17',
    field: 'keys',
  },
  {
    code: 'InvalidTarget',
    call: ['POST', '/utils/target-to-hashrate', { target: '1234' }],
    detail: '1234 is no target of work: 8 hexadecimal digits, of a number above 0.',
    documented: 'Invalid target string: 1234',
    field: 'target',
  },
  {
    code: 'InvalidMinerAddresses',
    call: ['PUT', '/miners/addresses', { addresses: miners.slice(1) }],
    detail: '3 addresses are given, but one for each of the 4 groups is needed, in order.',
    documented: 'Wrong number of addresses, expected 4, got 3',
    field: 'addresses',
    next: 'GET /miners/addresses',
  },
  {
    code: 'InvalidMinerAddresses',
    when: 'of another group',
    call: ['PUT', '/miners/addresses', { addresses: [...miners].reverse() }],
    detail: 'addresses[0] is of group 3: an address of group 0 is needed there.',
    documented: "Address 19HZpnNa62KWo9GE4fPT28dBarSwdQyhpFMS6khu31ytW doesn't belong to group 0",
    field: 'addresses[0]',
    next: 'GET /miners/addresses',
  },
  {
    code: 'NoMinerAddresses',
    call: ['GET', '/miners/addresses'],
    groups: { 'read.mining.addresses': () => ({ lockupScripts: [] }) },
    detail: 'No miner addresses are set: nobody would be paid for blocks. Set one for each group.',
    documented: 'Miner addresses are not set up',
    next: 'PUT /miners/addresses',
  },
  {
    code: 'InvalidApiKey',
    call: ['GET', '/infos/version', undefined, { 'x-api-key': 'short' }],
    gateway: { apiKey },
    detail: 'The key in the header X-API-KEY is too short: a key has at least 32 characters.',
    documented: 'Invalid value for: header X-API-KEY (Api key must have at least 32 characters)',
    field: 'X-API-KEY',
  },
  {
    code: 'MissingApiKey',
    call: ['GET', '/infos/version'],
    gateway: { apiKey },
    detail: 'The header X-API-KEY is missing: send the key of this API in it.',
    documented: 'Missing api key',
    field: 'X-API-KEY',
  },
  {
    code: 'WrongApiKey',
    call: ['GET', '/infos/version', undefined, { 'x-api-key': 'f'.repeat(32) }],
    gateway: { apiKey },
    detail: 'The key in the header X-API-KEY is not that of this API.',
    documented: 'Wrong api key',
    field: 'X-API-KEY',
  },
  {
    code: 'KeyNotPermitted',
    call: ['GET', '/wallets', undefined, { 'x-api-key': readKey }],
    gateway: { apiKey, apiKeyRead: readKey },
    detail:
      'The key in the header X-API-KEY has the role read, but this operation needs the role wallets: send the key of API_KEY_WALLETS or API_KEY.',
    field: 'X-API-KEY',
  },
  {
    code: 'KeyNotPermitted',
    when: 'when it mines',
    call: [
      'POST',
      '/miners/cpu-mining/mine-one-block?fromGroup=0&toGroup=0',
      undefined,
      { 'x-api-key': 'w'.repeat(32) },
    ],
    gateway: { apiKey, apiKeyWallets: 'w'.repeat(32) },
    detail:
      'The key in the header X-API-KEY has the role wallets, but this operation needs the role operate: send the key of API_KEY.',
    field: 'X-API-KEY',
  },
  {
    code: 'ApiKeyNotConfigured',
    call: ['GET', '/infos/version', undefined, { 'x-api-key': apiKey }],
    detail: 'The header X-API-KEY was sent, but this API has no key: leave it out.',
    documented: 'Api key not configured in server',
    field: 'X-API-KEY',
  },
  {
    code: 'TooManyRequests',
    call: twice,
    gateway: { rateLimit: 1 },
    detail: 'This client has sent more than 1 requests in a minute: wait as long as Retry-After says.',
  },
  {
    code: 'InternalServerError',
    call: ['GET', `/addresses/${key.address}/balance`],
    groups: {
      'read.address.balance': () => {
        throw new TypeError('an inner text');
      },
    },
    detail: 'Internal server error',
  },
  {
    code: 'BlockNotFound',
    call: ['GET', `/blockflow/blocks/${hash}`],
    groups: { 'read.chain.block': () => unknown('BlockNotFound') },
    detail: `There is no block with the hash ${hash} here.`,
    documented: `The block ${hash} does not exist, please check if your full node synced`,
    field: 'block_hash',
  },
  {
    code: 'BlockNotFound',
    when: 'that has the uncle',
    call: ['GET', `/blockflow/main-chain-block-by-ghost-uncle/${hash}`],
    groups: { 'read.chain.is-canonical': () => ({ isCanonical: false }) },
    detail: `No block of the main chain has the block ${hash} as its uncle.`,
    documented: `The mainchain block that references the ghost uncle block ${hash} not found`,
    field: 'ghost_uncle_hash',
  },
  {
    code: 'NoGhostUncle',
    call: ['GET', `/blockflow/main-chain-block-by-ghost-uncle/${hash}`],
    groups: { 'read.chain.is-canonical': () => ({ isCanonical: true }) },
    detail: `The block ${hash} is of the main chain: it is no uncle of another block.`,
    documented: `The block ${hash} is not a ghost uncle block, you should use a ghost uncle block hash to call this endpoint`,
    field: 'ghost_uncle_hash',
    next: `GET /blockflow/blocks/${hash}`,
  },
  {
    code: 'TransactionNotFound',
    call: ['GET', `/transactions/details/${hash}`],
    groups: { 'read.transaction.details': () => unknown('TransactionNotFound') },
    detail: `Transaction ${hash} is in no block of the main chain. Its status tells whether it waits.`,
    documented: `Transaction ${hash} not found`,
    field: 'txId',
    next: `GET /transactions/status?txId=${hash}`,
  },
  {
    code: 'TransactionNotFound',
    when: 'in the mempool',
    call: ['PUT', `/mempool/transactions/rebroadcast?txId=${hash}`],
    groups: { 'command.mempool.rebroadcast': () => unknown('TransactionNotFound') },
    detail: `Transaction ${hash} does not wait in the mempool. Its status tells whether it is mined.`,
    documented: `TxId: ${hash} not found`,
    field: 'txId',
    next: `GET /transactions/status?txId=${hash}`,
  },
  {
    code: 'ContractNotFound',
    call: ['GET', `/contracts/${contract}/state`],
    groups: { 'read.contract.stored': () => unknown('ContractNotFound') },
    detail: `There is no contract with the address ${contract} in group 0, which the last byte of its id names.`,
    documented:
      'Failed in IO: KeyNotFound: Key 1111111111111111111111111111111111111111111111111111111111111100 not found',
    field: 'address',
  },
  {
    code: 'ContractNotFound',
    when: 'whose group is asked for',
    call: ['GET', `/addresses/${contract}/group`],
    groups: { 'read.contract.asset': () => unknown('ContractNotFound') },
    detail: `There is no contract with the address ${contract} in group 0, which the last byte of its id names.`,
    documented: 'Group not found. Please check another broker',
    field: 'address',
  },
  {
    code: 'ContractNotFound',
    when: 'with events',
    call: ['GET', `/events/contract/${contract}/current-count`],
    groups: { 'read.events.count': () => ({ count: 0 }) },
    detail: `No events of the contract ${contract} are recorded.`,
    documented: `Current events count for contract ${contract} not found`,
    field: 'contractAddress',
  },
];
