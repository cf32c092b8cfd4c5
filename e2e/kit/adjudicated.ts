/** An exchange whose recorded expectation cannot hold together with a decision or with the document, and what we answer. */
export interface Adjudicated {
  readonly transcript: string;
  readonly step: number;
  /** Where it holds; default: in both. */
  readonly profile?: 'document' | 'reference';
  /** In the form of the recordings: replaces what is expected of us. */
  readonly expect?: { readonly status: number; readonly body: unknown; readonly contentType?: string | null };
  /** Milliseconds in which the expected answer has to come; the recordings have their own where it may take a while. */
  readonly retryMs?: number;
  /** Whether it is answered as recorded at times. */
  readonly sometimes?: boolean;
  /** Exchanges that cannot be had, since they send what a refused one would have answered. */
  readonly leavesOut?: readonly number[];
  readonly why: string;
}

const refusedWhenBuilding = (
  transcript: string,
  step: number,
  leavesOut: readonly number[],
  what: string,
  detail: string,
): Adjudicated => ({
  transcript,
  step,
  profile: 'document',
  expect: { status: 400, body: { detail } },
  leavesOut,
  why: `Decision 26: ${what} cannot be mined, and is refused when building. Profile reference builds it, as recorded.`,
});

const refusedInterval = (transcript: string, step: number, detail: string): Adjudicated => ({
  transcript,
  step,
  profile: 'document',
  expect: { status: 400, body: { detail: `{{re:${detail}.*}}` } },
  why:
    'Times before the genesis are another unit, mostly seconds: our own interface refuses them by name, in its own words. ' +
    'Profile reference answers as recorded.',
});

const preflight = (transcript: string, step: number): Adjudicated => ({
  transcript,
  step,
  expect: { status: 204, contentType: null, body: null },
  why:
    'The replay program takes an expectation of any body for one of JSON. The reference answered 204 without a body and ' +
    'without a type, as protocol 07 §1.14 says, and steps 14 and 15 of 01-transport expect the same of us.',
});

/** Key, amount in attoCoin and message of an output of the second development account. */
type Received = readonly [key: string, amount: string, message: string];

const hintOfReceiver = 1_900_212_619;

/** Of the genesis: has the time of the recordings' genesis. */
const allocated: Received = [
  '91079afe4f5d56d09fab2fa60a9369dcf145eb982aece94bf81d00c537e03231',
  '1000000000000000000000000',
  'd55dedab77b982ade743516f96d9c4fe85f19cc85e64d02b81b67532ce72df48',
];

const receivedAtOnce = (transcript: string, step: number, received: readonly Received[]): Adjudicated => ({
  transcript,
  step,
  profile: 'document',
  sometimes: true,
  expect: {
    status: 200,
    body: {
      utxos: {
        '{{unordered}}': [allocated, ...received].map(([key, amount, additionalData]) => ({
          ref: { hint: hintOfReceiver, key },
          amount,
          lockTime: key === allocated[0] ? 1_636_379_973_000 : { '{{oneOf}}': [0, '{{timestamp}}'] },
          additionalData,
        })),
      },
    },
  },
  why:
    "An output has the time of its block (protocol 07 §6.3) once the receiver's group includes it. On an idle network that " +
    'block follows at once in our own interface, and 2 s later in profile reference, as recorded.',
});

/** Of a contract that is compiled by the node, or comes as bytecode. */
const contractLife = (transcript: string, withdraw: number, multicall: number): readonly Adjudicated[] => [
  {
    transcript,
    step: withdraw,
    sometimes: true,
    expect: {
      status: 200,
      body: {
        '{{open}}': true,
        type: 'CallContractSucceeded',
        returns: [],
        gasUsed: 21_845,
        contracts: [
          {
            '{{open}}': true,
            mutFields: [{ type: 'U256', value: '98' }],
            asset: { '{{open}}': true, tokens: [{ id: '${id}', amount: '98' }] },
          },
        ],
        txInputs: ['${faucet}'],
        txOutputs: [2, 0, 98].map((tokens) => ({
          '{{open}}': true,
          tokens: tokens === 0 ? [] : [{ id: '${id}', amount: String(tokens) }],
        })),
        events: [
          {
            blockHash: '{{hash}}',
            contractAddress: '${faucet}',
            eventIndex: 0,
            fields: [
              { type: 'Address', value: '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH' },
              { type: 'U256', value: '2' },
            ],
          },
        ],
        debugMessages: [],
      },
    },
    why:
      'The event has the hash of the newest block of the chain. Our development network also mines a slow heartbeat, so ' +
      'that this is not always the block of the deployment, as it was in the recording.',
  },
  {
    transcript,
    step: multicall,
    expect: {
      status: 200,
      body: {
        results: [
          {
            '{{open}}': true,
            type: 'CallContractSucceeded',
            returns: [{ type: 'U256', value: '100' }],
            gasUsed: 1_036,
          },
          { '{{open}}': true, type: 'CallContractSucceeded', returns: [{ type: 'ByteVec', value: '${id}' }] },
          { type: 'CallContractFailed', error: '{{re:.*KeyNotFound.*}}' },
        ],
      },
    },
    why:
      'What is expected of us is the last of the three results alone. Protocol 07 §10.7 answers all of them in order, as ' +
      'the reference did.',
  },
];

export const adjudicated: readonly Adjudicated[] = [
  preflight('01-transport', 16),
  preflight('02-api-key', 22),
  refusedInterval('06-infos', 28, 'fromTs must be milliseconds'),
  refusedInterval('06-infos', 34, 'timespan must be at most'),
  ...[43, 44, 45, 46, 55, 56].map((step) => refusedInterval('08-blockflow', step, 'fromTs must be milliseconds')),
  {
    transcript: '01-transport',
    step: 8,
    expect: {
      status: 302,
      contentType: 'application/json',
      body: { docs: '/docs/', openapi: '/docs/openapi.json', health: '/health/cluster' },
    },
    why: 'No client asks for the base path; somebody who opens it in a browser is to find the documentation.',
  },
  {
    transcript: '05-wallet-transfers',
    step: 32,
    expect: {
      status: 200,
      body: { results: [2, 1, 3, 2, 0].map((fromGroup) => ({ txId: '{{hash}}', fromGroup, toGroup: 1 })) },
    },
    why:
      'Two results are expected of us, which leaves out the addresses that were skipped while an address of a certain ' +
      'group was derived. Protocol 07 §3.5 keeps them in the wallet, two of them are funded by the genesis, and §4.13 ' +
      'sweeps every address, later ones first: five, as the reference answered.',
  },
  {
    transcript: '07-addresses',
    step: 33,
    retryMs: 5_000,
    why:
      'The change gets the time of its block (protocol 07 §6.3) when a block of the chain of its group follows, some ' +
      'milliseconds after the transaction is Confirmed. The recording asked later.',
  },
  receivedAtOnce('11-transactions', 51, [
    ['00f955955acc0c76a1165037383a94f11549085cc9631ad6bd539188de08fb3a', '3000000000000000000', ''],
    ['a7fb39a1a61a46e9a2124f39e91381cc366ae2a1e374ef0bc12e43ca35b87a6a', '4000000000000000000', '6f6b'],
  ]),
  receivedAtOnce('13-sweep', 11, [
    ['332b1db2e78e1b61bf19178ede639ccf58acdfb135e48663e22002a030588312', '1000000000000000000', ''],
    ['3dd6523053ac2565e7699c383b4b400cff70fa4226d331e5c8ce5b2ad5382c0d', '500000000000000000', ''],
    ['4f3a21792fe65b2a900c2bd70d886f7309682a01f2ea6144e89767050b689045', '250000000000000000', ''],
    ['b2e5f41a3c07b14282cdded1b1ead390955466382ebf6acadd1bebfd45dfc122', '3000000000000000000', ''],
    ['f07294021b63fedae5cc4178ec0927af1600e912e82b774999edfa9713c07734', '2000000000000000000', ''],
  ]),
  refusedWhenBuilding(
    '11-transactions',
    61,
    [62, 63],
    'a gas price under the minimum',
    'The gas price of 0.000000001 COIN (1000000000 attoCoin) is below 0.0000001 COIN (100000000000 attoCoin), the least that a block takes for a unit of gas. Leave it out to pay the least.',
  ),
  refusedWhenBuilding(
    '11-transactions',
    64,
    [65, 66],
    'message data over the limit',
    'destinations[0]: the message has 600 bytes; that of an output has at most 256.',
  ),
  refusedWhenBuilding(
    '11-transactions',
    72,
    [74, 75],
    'a locked output',
    'utxos[0], the output with key ${lKey}, is locked for another {{digits}} s, until ${now+3600000} ms since 1970.',
  ),
  refusedWhenBuilding(
    '11-transactions',
    77,
    [78, 79],
    'an output of somebody else',
    'utxos[0], the output with key ${lKey}, belongs to {{text}}, not to the sender.',
  ),
  refusedWhenBuilding(
    '12-multisig',
    38,
    [40, 43, 54],
    'an unlock with the keys in another order',
    'fromPublicKeys[1] comes before fromPublicKeys[0] in the address: give different keys, in the order in which the address was made of them.',
  ),
  ...contractLife('22-contract-life', 45, 68),
  ...contractLife('32-contract-life-from-bytecode', 44, 67),
];
