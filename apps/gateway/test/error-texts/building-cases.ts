import { addressOf, multisigOf } from '@shardnode/protocol/address';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { scriptHint } from '@shardnode/protocol/primitives';
import {
  addressConstant,
  type Instruction,
  instructionNamed,
  statefulScriptCodec,
  u256Constant,
} from '@shardnode/protocol/script';
import { testKeyOfGroup, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { type Call, type ErrorCase } from './error-case.js';
import { refusingGroups, type Held } from './refusing-groups.js';

const coin = 10n ** 18n;
const [sender, second] = testKeysOfGroup(0, 2) as [TestKey, TestKey];
const [receiver, other] = testKeysOfGroup(1, 2) as [TestKey, TestKey];
const stranger = testKeyOfGroup(2);
const publicKey = bytesToHex(sender.publicKey);
const signers = [sender, second].map((key) => bytesToHex(key.publicKey));
const multisig = addressOf(multisigOf([sender.publicKey, second.publicKey, receiver.publicKey], 2));
const token = 'aa'.repeat(32);
const xOnNoPoint = `02${'5'.padStart(64, '0')}`;

/** The output with that number, of an address of the sender's group. */
const held = (number: number, amount: bigint, more: Partial<Held> = {}): Held => {
  const reference = { hint: scriptHint(sender.lockupScript), key: number.toString(16).padStart(64, '0') };
  return { reference, amount, tokens: [], level: 0, ...more };
};
const tokens = (amount: bigint) => ({ tokens: [{ id: token, amount }] });
const manyHeld = (count: number, amount: bigint): Held[] => Array.from({ length: count }, (_, i) => held(i, amount));

const to = (amount: string, more: object = {}) => ({ address: receiver.address, attoCoinAmount: amount, ...more });
const many = (count: number) => Array.from({ length: count }, () => to('0.001 COIN'));

const build = (more: object = {}): Call => [
  'POST',
  '/transactions/build',
  { fromPublicKey: publicKey, destinations: [to('1 COIN')], ...more },
];
const buildMany = (from: readonly object[], more: object = {}): Call => [
  'POST',
  '/transactions/build-multi-addresses',
  { from, ...more },
];
const source = (key: TestKey, more: object = {}) => ({
  fromPublicKey: bytesToHex(key.publicKey),
  destinations: [to('1 COIN')],
  ...more,
});
const buildMultisig = (more: object = {}): Call => [
  'POST',
  '/multisig/build',
  {
    fromAddress: multisig,
    fromPublicKeys: signers,
    destinations: [{ address: receiver.address, amount: '1 COIN' }],
    ...more,
  },
];
const sweep: Call = [
  'POST',
  '/transactions/sweep-address/build',
  { fromPublicKey: publicKey, toAddress: receiver.address },
];
const execute = (more: object = {}): Call => [
  'POST',
  '/contracts/unsigned-tx/execute-script',
  { fromPublicKey: publicKey, bytecode: '0101030000000303117b', ...more },
];
const deploy = (more: object): Call => [
  'POST',
  '/contracts/unsigned-tx/deploy-contract',
  { fromPublicKey: publicKey, bytecode: '000107000000000001180000', ...more },
];
const scriptHex = (instructions: readonly Instruction[], assetModifier = 1): string =>
  bytesToHex(
    encode(statefulScriptCodec, {
      methods: [{ isPublic: true, assetModifier, argsLength: 0, localsLength: 0, returnLength: 0, instructions }],
    }),
  );
/** Pays 1 coin of the sender. */
const payingScript = scriptHex([
  addressConstant(sender.lockupScript),
  addressConstant(second.lockupScript),
  u256Constant(coin),
  instructionNamed('TransferCoin'),
]);
/** Takes much gas. */
const idleScript = scriptHex(
  Array.from({ length: 1_900 }, () => [instructionNamed('ConstTrue'), instructionNamed('Pop')]).flat(),
);
const chosen = (...of: readonly Held[]) => ({ utxos: of.map(({ reference }) => reference) });

const balance = `GET /addresses/${sender.address}/balance`;
const utxos = `GET /addresses/${sender.address}/utxos`;
const sweepBuild = 'POST /transactions/sweep-address/build';

/** Why a transaction cannot be built. */
export const cases: readonly ErrorCase[] = [
  {
    code: 'NotEnoughBalance',
    call: build(),
    groups: refusingGroups([held(1, coin)]),
    detail:
      'Not enough balance: the sender can spend 1 COIN (1000000000000000000 attoCoin), but 1.001 COIN (1001000000000000000 attoCoin) is needed besides the fee, 0.001 COIN (1000000000000000 attoCoin) of it for change. Send 0.003 COIN (3000000000000000 attoCoin) less, or everything with a sweep.',
    documented: 'Not enough balance: got 1000000000000000000, expected 1001000000000000000',
    next: balance,
  },
  {
    code: 'NotEnoughBalance',
    when: 'of an address without coins',
    call: build(),
    groups: refusingGroups([]),
    detail:
      'Not enough balance: the sender can spend 0 COIN (0 attoCoin), but 1.001 COIN (1001000000000000000 attoCoin) is needed besides the fee, 0.001 COIN (1000000000000000 attoCoin) of it for change. Send coins to it first.',
    documented: 'Not enough balance: got 0, expected 1001000000000000000',
    next: balance,
  },
  {
    code: 'NotEnoughBalance',
    when: 'with a gas amount',
    call: build({ gasAmount: 20_000 }),
    groups: refusingGroups([held(1, coin)]),
    detail:
      'Not enough balance: the sender can spend 1 COIN (1000000000000000000 attoCoin), but 1.003 COIN (1003000000000000000 attoCoin) is needed with the fee, 0.001 COIN (1000000000000000 attoCoin) of it for change. Send 0.003 COIN (3000000000000000 attoCoin) less, or everything with a sweep.',
    documented: 'Not enough balance: got 1000000000000000000, expected 1003000000000000000',
    next: balance,
  },
  {
    code: 'NotEnoughBalance',
    when: 'of a token',
    call: build({ destinations: [to('1 COIN', { tokens: [{ id: token, amount: '7' }] })] }),
    groups: refusingGroups([held(1, 5n * coin, tokens(2n))]),
    detail:
      'Not enough balance: the sender can spend 2 of token aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, but 7 is to be sent. Send 5 of token aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa less.',
    documented: 'Not enough balance: got 2, expected 7',
    next: balance,
  },
  {
    code: 'NotEnoughBalance',
    when: 'of outputs that are chosen',
    call: build({ destinations: [to('2 COIN')], ...chosen(held(1, coin)) }),
    groups: refusingGroups([held(1, coin)]),
    detail:
      'Not enough balance: the inputs have 1 COIN (1000000000000000000 attoCoin), but 2 COIN (2000000000000000000 attoCoin) is to be sent. Send 1.002 COIN (1002000000000000000 attoCoin) less.',
    documented: 'Not enough balance',
    next: balance,
  },
  {
    code: 'NotEnoughBalance',
    when: 'of a multisig address',
    call: buildMultisig(),
    groups: refusingGroups([held(1, coin)]),
    detail:
      'Not enough balance: the sender can spend 1 COIN (1000000000000000000 attoCoin), but 1.001 COIN (1001000000000000000 attoCoin) is needed besides the fee, 0.001 COIN (1000000000000000 attoCoin) of it for change. Send 0.003 COIN (3000000000000000 attoCoin) less, or everything with a sweep.',
    documented: 'Not enough balance: got 1000000000000000000, expected 1001000000000000000',
    next: `GET /addresses/${multisig}/balance`,
  },
  {
    code: 'NotEnoughBalance',
    when: 'of one of many senders',
    call: buildMany([source(sender), source(second, { destinations: [to('3 COIN')] })]),
    groups: refusingGroups([held(1, 2n * coin)]),
    detail:
      'from[1]: Not enough balance: the sender can spend 2 COIN (2000000000000000000 attoCoin), but 3.001 COIN (3001000000000000000 attoCoin) is needed besides the fee, 0.001 COIN (1000000000000000 attoCoin) of it for change. Send 1.003 COIN (1003000000000000000 attoCoin) less to from[1].destinations[0].',
    documented: 'Not enough balance: got 2000000000000000000, expected 3001000000000000000',
    next: `GET /addresses/${second.address}/balance`,
  },
  {
    code: 'NotEnoughBalance',
    when: 'in a sweep',
    call: sweep,
    groups: refusingGroups([held(1, 21n * 10n ** 14n)]),
    detail:
      'Not enough balance: the outputs to be swept have 0.0021 COIN (2100000000000000 attoCoin) together, but 0.002 COIN (2000000000000000 attoCoin) for the fee and 0.001 COIN (1000000000000000 attoCoin) for the new outputs are needed. Sweep when the address has more.',
    documented: 'Not enough COIN balance for transaction outputs',
    next: balance,
  },
  {
    code: 'NotEnoughBalance',
    when: 'of a script',
    call: execute({ attoCoinAmount: '1 COIN', gasAmount: 20_000 }),
    groups: refusingGroups([held(1, coin / 2n)]),
    detail:
      'Not enough balance: the sender can spend 0.5 COIN (500000000000000000 attoCoin), but 1.002 COIN (1002000000000000000 attoCoin) is needed with the fee. Send coins to it first.',
    documented: 'Not enough balance: got 500000000000000000, expected 1002000000000000000',
    field: 'attoCoinAmount',
    next: balance,
  },
  {
    code: 'NotEnoughBalance',
    when: 'of a deployment',
    call: deploy({}),
    groups: refusingGroups([held(1, coin / 2n)]),
    detail:
      'Not enough balance: the sender can spend 0.5 COIN (500000000000000000 attoCoin), but 1 COIN (1000000000000000000 attoCoin) is needed besides the fee. Send coins to it first.',
    documented: `Execution error when estimating gas for tx script or contract: Not enough approved balance for address ${sender.address}, tokenId: COIN, expected: 1000000000000000000, got: 498000000000000000`,
    field: 'initialAttoCoinAmount',
    next: balance,
  },
  {
    code: 'NotEnoughBalanceForFee',
    call: build(),
    groups: refusingGroups([held(1, coin + 10n ** 15n)]),
    detail:
      'Not enough balance for the fee: the sender can spend 1.001 COIN (1001000000000000000 attoCoin), which is enough for 1.001 COIN (1001000000000000000 attoCoin), but not for the fee of 0.002 COIN (2000000000000000 attoCoin) too. Send 0.002 COIN (2000000000000000 attoCoin) less, or everything with a sweep.',
    documented: 'Not enough balance for fee, maybe transfer a smaller amount',
    next: balance,
  },
  {
    code: 'NotEnoughBalanceForFee',
    when: 'of outputs that are chosen',
    call: build(chosen(held(1, coin))),
    groups: refusingGroups([held(1, coin)]),
    detail:
      'Not enough balance for the fee: the inputs have 1 COIN (1000000000000000000 attoCoin), which is enough for the 1 COIN (1000000000000000000 attoCoin) to be sent, but not for the fee of 0.002 COIN (2000000000000000 attoCoin) too. Send 0.002 COIN (2000000000000000 attoCoin) less.',
    documented: 'Not enough balance for gas fee',
    next: balance,
  },
  {
    code: 'NotEnoughBalanceForFee',
    when: 'in a sweep',
    call: sweep,
    groups: refusingGroups([held(1, 10n ** 15n)]),
    detail:
      'Not enough balance for the fee: the outputs to be swept have 0.001 COIN (1000000000000000 attoCoin) together, but 0.002 COIN (2000000000000000 attoCoin) for the fee and 0.001 COIN (1000000000000000 attoCoin) for the new outputs are needed. Sweep when the address has more.',
    documented: 'Not enough balance for gas fee in Sweeping',
    next: balance,
  },
  {
    code: 'NotEnoughToken',
    call: build({
      destinations: [to('1 COIN', { tokens: [{ id: token, amount: '7' }] })],
      ...chosen(held(1, 5n * coin)),
    }),
    groups: refusingGroups([held(1, 5n * coin, tokens(2n))]),
    detail:
      'The inputs have 2 of token aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, but 7 is to be sent. Send 5 of token aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa less.',
    documented:
      'Not enough balance for token TokenId(hex"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")',
    next: balance,
  },
  {
    code: 'NewTokensInOutputs',
    call: build({
      destinations: [to('1 COIN', { tokens: [{ id: token, amount: '7' }] })],
      ...chosen(held(1, 5n * coin)),
    }),
    groups: refusingGroups([held(1, 5n * coin)]),
    detail:
      'The inputs have none of the token aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, but some is to be sent.',
    documented:
      'New tokens found in outputs: Set(TokenId(hex"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"))',
    next: balance,
  },
  {
    code: 'ChangeTooSmall',
    call: build(chosen(held(1, coin + 25n * 10n ** 14n))),
    groups: refusingGroups([held(1, coin + 25n * 10n ** 14n)]),
    detail:
      'The change is 0.0005 COIN (500000000000000 attoCoin), but an output would need 0.001 COIN (1000000000000000 attoCoin). Send 0.0005 COIN (500000000000000 attoCoin) less.',
    documented: 'Not enough COIN for COIN change output, expected 1000000000000000, got 500000000000000',
    next: balance,
  },
  {
    code: 'ChangeTooSmall',
    when: 'with tokens',
    call: build(chosen(held(1, coin + 25n * 10n ** 14n))),
    groups: refusingGroups([held(1, coin + 25n * 10n ** 14n, tokens(2n))]),
    detail:
      'The change is 0.0005 COIN (500000000000000 attoCoin), but the outputs for coins and tokens that come back would need 0.001 COIN (1000000000000000 attoCoin). Send 0.0005 COIN (500000000000000 attoCoin) less.',
    documented: 'Not enough COIN for token change output, expected 1000000000000000, got 500000000000000',
    next: balance,
  },
  {
    code: 'ChangeTooSmall',
    when: 'with coins and tokens',
    call: build(chosen(held(1, coin + 35n * 10n ** 14n))),
    groups: refusingGroups([held(1, coin + 35n * 10n ** 14n, tokens(2n))]),
    detail:
      'The change is 0.0015 COIN (1500000000000000 attoCoin), but the outputs for coins and tokens that come back would need 0.002 COIN (2000000000000000 attoCoin). Send 0.0005 COIN (500000000000000 attoCoin) less.',
    documented: 'Not enough COIN for COIN and token change output, expected 2000000000000000, got 1500000000000000',
    next: balance,
  },
  {
    code: 'AmountBelowDust',
    call: build({ destinations: [to('1 COIN'), to('0.0005 COIN')] }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'destinations[1]: 0.0005 COIN (500000000000000 attoCoin) is below the smallest amount of an output, 0.001 COIN (1000000000000000 attoCoin). Send at least that much.',
    documented: 'Not enough COIN for transaction output',
    field: 'destinations[1].attoCoinAmount',
  },
  {
    code: 'AmountBelowDust',
    when: 'without a unit',
    call: build({ destinations: [to('5')] }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'destinations[0]: the amount is read as 0.000000000000000005 COIN (5 attoCoin), below the smallest amount of an output, 0.001 COIN (1000000000000000 attoCoin). An amount without a unit is in attoCoin: for coins write "5 COIN".',
    documented: 'Not enough COIN for transaction output',
    field: 'destinations[0].attoCoinAmount',
  },
  {
    code: 'AmountBelowDust',
    when: 'without a unit, of an address without coins',
    call: build({ destinations: [to('5')] }),
    groups: refusingGroups(),
    detail:
      'destinations[0]: the amount is read as 0.000000000000000005 COIN (5 attoCoin), below the smallest amount of an output, 0.001 COIN (1000000000000000 attoCoin). An amount without a unit is in attoCoin: for coins write "5 COIN".',
    documented: 'not there',
    field: 'destinations[0].attoCoinAmount',
  },
  {
    code: 'AmountBelowDust',
    when: 'by the other name of the field',
    call: buildMultisig({ destinations: [{ address: receiver.address, amount: '5' }] }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'destinations[0]: the amount is read as 0.000000000000000005 COIN (5 attoCoin), below the smallest amount of an output, 0.001 COIN (1000000000000000 attoCoin). An amount without a unit is in attoCoin: for coins write "5 COIN".',
    documented: 'Not enough COIN for transaction output',
    field: 'destinations[0].amount',
  },
  {
    code: 'AmountBelowDust',
    when: 'of many senders',
    call: buildMany([
      source(sender, chosen(held(1, 9n * coin))),
      source(second, { destinations: [{ address: other.address, amount: '5' }], ...chosen(held(2, coin)) }),
    ]),
    groups: refusingGroups([held(1, 9n * coin), held(2, coin, { owner: second.lockupScript })]),
    detail:
      'from[1].destinations[0]: the amount is read as 0.000000000000000005 COIN (5 attoCoin), below the smallest amount of an output, 0.001 COIN (1000000000000000 attoCoin). An amount without a unit is in attoCoin: for coins write "5 COIN".',
    documented: 'Not enough COIN for transaction output',
    field: 'from[1].destinations[0].amount',
  },
  {
    code: 'AmountBelowDust',
    when: 'of tokens without coins',
    call: build({
      destinations: [to('0', { tokens: ['bb', 'cc'].map((id) => ({ id: id.repeat(32), amount: '1' })) })],
    }),
    groups: refusingGroups(
      ['bb', 'cc'].map((id, i) => held(i, 9n * coin, { tokens: [{ id: id.repeat(32), amount: 1n }] })),
    ),
    detail:
      'destinations[0]: 0 COIN (0 attoCoin) is below the smallest amount of an output, 0.001 COIN (1000000000000000 attoCoin) for each token. Send at least 0.002 COIN (2000000000000000 attoCoin).',
    documented: 'Not enough COIN for transaction output',
    field: 'destinations[0].attoCoinAmount',
  },
  {
    code: 'TokenAmountZero',
    call: build({ destinations: [to('1 COIN', { tokens: [{ id: token, amount: '0' }] })] }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail: 'destinations[0].tokens[0]: the amount is 0. Send at least 1, or leave the token out.',
    documented: 'Value is Zero for one or many tokens in the transaction output',
    field: 'destinations[0].tokens[0].amount',
  },
  {
    code: 'AmountOverflow',
    call: build({ destinations: [to('1 COIN'), to('1000000000 COIN')] }),
    groups: refusingGroups([]),
    detail:
      'The amounts add up to more than all coins that can exist, 1000000000 COIN (1000000000000000000000000000 attoCoin).',
    documented: 'COIN amount overflow',
    field: 'destinations[1].attoCoinAmount',
  },
  {
    code: 'AmountOverflow',
    when: 'of a token',
    call: build({
      destinations: [to('1 COIN', { tokens: [1, 2].map(() => ({ id: token, amount: String(2n ** 256n - 1n) })) })],
    }),
    groups: refusingGroups([]),
    detail:
      'The amounts of token aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa add up to more than 2^256 - 1.',
    documented:
      'Amount overflow for token TokenId(hex"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")',
    field: 'destinations',
  },
  {
    code: 'ZeroOutputs',
    call: build({ destinations: [] }),
    groups: refusingGroups([]),
    detail: 'There are no destinations: a transaction needs at least one.',
    documented: 'Zero transaction outputs',
    field: 'destinations',
  },
  {
    code: 'TooManyOutputs',
    call: build({ destinations: many(300) }),
    groups: refusingGroups([]),
    detail:
      '300 destinations are too many: a transaction has at most 256 outputs, and gas for at most 136 destinations without tokens. Send to the others in further transactions.',
    documented: 'Too many transaction outputs, maximal value: 256',
    field: 'destinations',
  },
  {
    code: 'TooManyOutputs',
    when: 'with their tokens',
    call: build({
      gasAmount: 625_000,
      destinations: [
        to('1 COIN', {
          tokens: Array.from({ length: 257 }, (_, i) => ({ id: String(i).padStart(64, '0'), amount: '1' })),
        }),
      ],
      ...chosen(held(1, 9n * coin)),
    }),
    groups: refusingGroups([
      held(1, 9n * coin, {
        tokens: Array.from({ length: 257 }, (_, i) => ({ id: String(i).padStart(64, '0'), amount: 1n })),
      }),
    ]),
    detail:
      'The transaction would have 259 outputs (one for each destination, one for each of its tokens, and the change), and has at most 256. Send to fewer destinations.',
    documented: 'not there',
    field: 'destinations',
  },
  {
    code: 'OutputDataSizeExceeded',
    call: build({ destinations: [to('1 COIN', { message: '00'.repeat(257) })] }),
    groups: refusingGroups([]),
    detail: 'destinations[0]: the message has 257 bytes; that of an output has at most 256.',
    documented: 'not there',
    field: 'destinations[0].message',
  },
  {
    code: 'DifferentGroups',
    call: build({ destinations: [to('1 COIN'), { address: stranger.address, attoCoinAmount: '1 COIN' }] }),
    groups: refusingGroups([]),
    detail:
      'destinations[1] is of group 2, destinations[0] of group 1: all destinations of a transaction are of one group. Make one transaction for each group.',
    documented: 'Different groups for transaction outputs',
    field: 'destinations[1].address',
  },
  {
    code: 'DifferentGroups',
    when: 'of senders',
    call: buildMany([source(sender), source(stranger)]),
    groups: refusingGroups([]),
    detail:
      'from[1] is of group 2, from[0] of group 0: all senders of a transaction are of one group. Make one transaction for each group.',
    documented: 'Different groups for transaction inputs',
    field: 'from[1].fromPublicKey',
  },
  {
    code: 'ZeroInputs',
    call: buildMany([]),
    groups: refusingGroups([]),
    detail: 'There are no senders: a transaction needs at least one.',
    documented: 'Empty list of input',
    field: 'from',
  },
  {
    code: 'RepeatedSender',
    call: buildMany([source(sender), source(second), source(sender)]),
    groups: refusingGroups([]),
    detail: 'from[2] is the same sender as from[0]. Name each sender once.',
    documented: 'Some addresses defined multiple time',
    field: 'from[2].fromPublicKey',
  },
  {
    code: 'MissingGas',
    call: buildMany([source(sender, { gasAmount: 20_000 }), source(second)]),
    groups: refusingGroups([]),
    detail: 'from[1] has no gas amount, but from[0] has one. Give all senders one, or none.',
    documented: 'Missing `gasAmount` in some inputs',
    field: 'from[1].gasAmount',
  },
  {
    code: 'EmptyUtxos',
    call: build({ utxos: [] }),
    groups: refusingGroups([]),
    detail: 'The list of chosen outputs is empty. Name outputs to spend, or leave it out to have them chosen.',
    documented: 'Empty UTXOs',
    field: 'utxos',
    next: utxos,
  },
  {
    code: 'EmptyUtxos',
    when: 'of one of many senders',
    call: buildMany([source(sender), source(second, { utxos: [] })]),
    groups: refusingGroups([]),
    detail: 'from[1]: The list of chosen outputs is empty. Name outputs to spend, or leave it out to have them chosen.',
    documented: 'Empty UTXOs',
    field: 'from[1].utxos',
    next: `GET /addresses/${second.address}/utxos`,
  },
  {
    code: 'UtxoNotFound',
    call: build(chosen(held(1, coin), held(2, coin))),
    groups: refusingGroups([held(1, coin)]),
    detail:
      'utxos[1], the output with key 0000000000000000000000000000000000000000000000000000000000000002, is not there: it is spent, or never was. Ask for the outputs of the sender again.',
    documented: 'Can not find all selected UTXOs',
    field: 'utxos[1]',
    next: utxos,
  },
  {
    code: 'UtxoNotFound',
    when: 'of one of many senders',
    call: buildMany([source(sender, chosen(held(1, 2n * coin))), source(second, chosen(held(2, coin)))]),
    groups: refusingGroups([held(1, 2n * coin)]),
    detail:
      'from[1]: utxos[0], the output with key 0000000000000000000000000000000000000000000000000000000000000002, is not there: it is spent, or never was. Ask for the outputs of the sender again.',
    documented: 'Can not find all selected UTXOs',
    field: 'from[1].utxos[0]',
    next: `GET /addresses/${second.address}/utxos`,
  },
  {
    code: 'ForeignUtxo',
    call: build(chosen(held(1, coin))),
    groups: refusingGroups([held(1, coin, { owner: second.lockupScript })]),
    detail:
      'utxos[0], the output with key 0000000000000000000000000000000000000000000000000000000000000001, belongs to 1Awg4a2xbEVf5bnsGWEJxPAttiRZmb3eijbE23JLq5UKy, not to the sender.',
    documented: 'not there',
    field: 'utxos[0]',
    next: utxos,
  },
  {
    code: 'LockedUtxo',
    call: build(chosen(held(1, coin))),
    groups: refusingGroups([held(1, coin, { lockTime: 1_700_000_005_000n })]),
    detail:
      'utxos[0], the output with key 0000000000000000000000000000000000000000000000000000000000000001, is locked for another 5 s, until 1700000005000 (2023-11-14T22:13:25.000Z).',
    documented: 'not there',
    field: 'utxos[0]',
    next: utxos,
  },
  {
    code: 'ContractUtxo',
    call: build({ utxos: [{ hint: 2, key: token }] }),
    groups: refusingGroups([]),
    detail: 'utxos[0] is an output of a contract: only outputs of addresses can be chosen.',
    documented: 'Selected UTXOs must be of asset type',
    field: 'utxos[0]',
    next: utxos,
  },
  {
    code: 'DifferentUtxoGroups',
    call: build({ utxos: [held(1, coin).reference, { hint: scriptHint(receiver.lockupScript), key: token }] }),
    groups: refusingGroups([]),
    detail: 'utxos[1] is of group 1, utxos[0] of group 0: choose outputs of one group.',
    documented: 'Selected UTXOs are not from the same group',
    field: 'utxos[1]',
    next: utxos,
  },
  {
    code: 'DifferentUtxoGroups',
    when: 'of one of many senders',
    call: buildMany([source(sender, { utxos: [{ hint: scriptHint(receiver.lockupScript), key: token }] })]),
    groups: refusingGroups([]),
    detail: 'from[0]: utxos[0] is of group 1, the senders of group 0. Choose outputs of the sender.',
    documented: 'Selected UTXOs different from lockup script group',
    field: 'from[0].utxos[0]',
    next: utxos,
  },
  {
    code: 'InputsNotUnique',
    call: build(chosen(held(1, coin), held(1, coin))),
    groups: refusingGroups([held(1, coin)]),
    detail: 'Inputs 0 and 1, counted from 0, are the same output. Name each output once.',
    documented: 'Inputs not unique',
    field: 'utxos[1]',
  },
  {
    code: 'GasTooSmall',
    call: build({ gasAmount: 100 }),
    groups: refusingGroups([]),
    detail: 'The gas amount of 100 is below 20000, the least of a transaction. Leave it out to have it estimated.',
    documented: 'Provided gas GasBox(100) too small, minimal GasBox(20000)',
    field: 'gasAmount',
  },
  {
    code: 'GasTooSmall',
    when: 'of a multisig address',
    call: buildMultisig({ gas: 100 }),
    groups: refusingGroups([]),
    detail: 'The gas amount of 100 is below 20000, the least of a transaction. Leave it out to have it estimated.',
    documented: 'Provided gas GasBox(100) too small, minimal GasBox(20000)',
    field: 'gas',
  },
  {
    code: 'GasTooSmall',
    when: 'of one of many senders',
    call: buildMany([source(sender, { gasAmount: 20_000 }), source(second, { gasAmount: 100 })]),
    groups: refusingGroups([]),
    detail:
      'from[1]: The gas amount of 100 is below 20000, the least of a transaction. Leave it out to have it estimated.',
    documented: 'Provided gas GasBox(100) too small, minimal GasBox(20000)',
    field: 'from[1].gasAmount',
  },
  {
    code: 'GasTooSmall',
    when: 'for what the transaction does',
    call: build({ gasAmount: 20_000, destinations: many(10) }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'The gas amount of 20000 is too little: this transaction needs 54560. Give a gas amount of 54560, or leave it out to have it estimated.',
    documented: 'not there',
    field: 'gasAmount',
  },
  {
    code: 'GasTooLarge',
    call: build({ gasAmount: 625_001 }),
    groups: refusingGroups([]),
    detail: 'The gas amount of 625001 is above 625000, the most of a transaction. Leave it out to have it estimated.',
    documented: 'Provided gas GasBox(625001) too large, maximal GasBox(625000)',
    field: 'gasAmount',
  },
  {
    code: 'GasTooLarge',
    when: 'of all senders together',
    call: buildMany([source(sender, { gasAmount: 400_000 }), source(second, { gasAmount: 400_000 })]),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'The total gas amount of 800000 is above 625000, the most of a transaction. Leave it out for all of them to have it estimated.',
    documented: 'Provided gas GasBox(800000) too large, maximal GasBox(625000)',
  },
  {
    code: 'GasPriceTooSmall',
    call: build({ gasPrice: '5' }),
    groups: refusingGroups([]),
    detail:
      'The gas price of 0.000000000000000005 COIN (5 attoCoin) is below 0.0000001 COIN (100000000000 attoCoin), the least that a block takes for a unit of gas. Leave it out to pay the least.',
    documented: 'Gas price GasPrice(5) too small, minimal GasPrice(1000000000)',
    field: 'gasPrice',
  },
  {
    code: 'GasPriceTooLarge',
    call: build({ gasPrice: String(10n ** 27n) }),
    groups: refusingGroups([]),
    detail:
      'The gas price of 1000000000 COIN (1000000000000000000000000000 attoCoin) for a unit of gas is more than all coins that can exist. Leave it out to pay the least, 0.0000001 COIN (100000000000 attoCoin).',
    documented:
      'Gas price GasPrice(1000000000000000000000000000) too large, maximal GasPrice(999999999999999999999999999)',
    field: 'gasPrice',
  },
  {
    code: 'GasFeeTooHigh',
    call: build({ gasAmount: 20_000, gasPrice: String(10n ** 14n) }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'The fee of 20000 gas at 0.0001 COIN (100000000000000 attoCoin) is 2 COIN (2000000000000000000 attoCoin), above the cap of 1 COIN (1000000000000000000 attoCoin). Lower the gas price.',
    documented: 'Too much gas fee, cap at 1000000000000000000, got 2000000000000000000',
    field: 'gasPrice',
  },
  {
    code: 'EstimatedGasTooLarge',
    when: 'of inputs',
    call: buildMultisig({ destinations: [{ address: receiver.address, amount: '200 COIN' }] }),
    groups: refusingGroups([...manyHeld(250, coin)]),
    detail:
      'The transaction needs 1240120 gas, and has at most 625000: of its 201 inputs, 100 fit. Join outputs of the sender with a sweep first, or send 100.0632 COIN (100063200000000000000 attoCoin) less.',
    documented:
      'Estimated gas GasBox(1240120) too large, maximal GasBox(625000). Consider consolidating UTXOs using the sweep endpoints or sending to less addresses',
    next: 'POST /multisig/sweep',
  },
  {
    code: 'EstimatedGasTooLarge',
    when: 'of destinations',
    call: build({ destinations: many(150) }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'The transaction needs 684560 gas, and has at most 625000: of its 150 outputs for destinations (one for each, and one for each of its tokens), 136 fit, if one input is enough. Send to the first 136 destinations (to the others in further transactions).',
    documented:
      'Estimated gas GasBox(684560) too large, maximal GasBox(625000). Consider consolidating UTXOs using the sweep endpoints or sending to less addresses',
    field: 'destinations',
  },
  {
    code: 'TooManyInputs',
    call: build({ destinations: [to('270 COIN')], gasAmount: 625_000 }),
    groups: refusingGroups([...manyHeld(300, coin)]),
    detail:
      'The transaction would have 271 inputs, and has at most 256. Join outputs of the sender with a sweep first, or send 14.0635 COIN (14063500000000000000 attoCoin) less.',
    documented:
      'Too many inputs for the transfer, consider to reduce the amount to send, or use the `sweep-address` endpoint to consolidate the inputs first',
    next: sweepBuild,
  },
  {
    code: 'InvalidLockupScript',
    call: buildMultisig({ fromAddress: sender.address }),
    groups: refusingGroups([]),
    detail: 'The sender is no multisig address.',
    documented: 'Invalid lockup script',
    field: 'fromAddress',
    next: 'POST /transactions/build',
  },
  {
    code: 'InvalidPublicKeyNumber',
    call: buildMultisig({ fromPublicKeys: signers.slice(0, 1) }),
    groups: refusingGroups([]),
    detail: 'Of the 3 keys of this address exactly 2 sign, but 1 is given.',
    documented: 'Invalid public key number. Expected 2, got 1',
    field: 'fromPublicKeys',
  },
  {
    code: 'InvalidPublicKey',
    when: 'of another kind',
    call: build({ fromPublicKey: 'ab' }),
    groups: refusingGroups([]),
    detail: 'fromPublicKey: a public key of kind default has 33 bytes, 66 hexadecimal digits; received 2 digits.',
    documented: 'Invalid SecP256K1 public key: ab',
    field: 'fromPublicKey',
  },
  {
    code: 'InvalidPublicKey',
    when: 'that is no point of the curve',
    call: build({ fromPublicKey: xOnNoPoint }),
    groups: refusingGroups([]),
    detail: 'fromPublicKey: this is no public key, because it is no point of the curve secp256k1.',
    documented: 'not there',
    field: 'fromPublicKey',
  },
  {
    code: 'InvalidPublicKey',
    when: 'that is no point of the curve, of a Schnorr signature',
    call: build({ fromPublicKey: xOnNoPoint.slice(2), fromPublicKeyType: 'bip340-schnorr' }),
    groups: refusingGroups([]),
    detail: 'fromPublicKey: this is no public key, because it is no point of the curve secp256k1.',
    documented: 'not there',
    field: 'fromPublicKey',
  },
  {
    code: 'InvalidPublicKey',
    when: 'that is no point of the curve, of one of many senders',
    call: buildMany([source(sender), { ...source(second), fromPublicKey: xOnNoPoint }]),
    groups: refusingGroups([]),
    detail: 'from[1].fromPublicKey: this is no public key, because it is no point of the curve secp256k1.',
    documented: 'not there',
    field: 'from[1].fromPublicKey',
  },
  {
    code: 'InvalidPublicKey',
    when: 'that is no point of the curve, in a sweep',
    call: ['POST', '/transactions/sweep-address/build', { fromPublicKey: xOnNoPoint, toAddress: receiver.address }],
    groups: refusingGroups([]),
    detail: 'fromPublicKey: this is no public key, because it is no point of the curve secp256k1.',
    documented: 'not there',
    field: 'fromPublicKey',
  },
  {
    code: 'InvalidPublicKey',
    when: 'that is no point of the curve, of a script',
    call: execute({ fromPublicKey: xOnNoPoint }),
    groups: refusingGroups([]),
    detail: 'fromPublicKey: this is no public key, because it is no point of the curve secp256k1.',
    documented: 'not there',
    field: 'fromPublicKey',
  },
  {
    code: 'InvalidPublicKey',
    when: 'that is no point of the curve, of a multisig address',
    call: ['POST', '/multisig/address', { keys: [publicKey, xOnNoPoint], mrequired: 1 }],
    groups: refusingGroups([]),
    detail: 'keys[1]: this is no public key, because it is no point of the curve secp256k1.',
    documented: 'not there',
    field: 'keys[1]',
  },
  {
    code: 'InvalidPublicKey',
    when: 'that is no point of the curve, of a multisig sender',
    call: buildMultisig({ fromPublicKeys: [publicKey, xOnNoPoint] }),
    groups: refusingGroups([]),
    detail: 'fromPublicKeys[1]: this is no public key, because it is no point of the curve secp256k1.',
    documented: 'Invalid public key: 020000000000000000000000000000000000000000000000000000000000000005',
    field: 'fromPublicKeys[1]',
  },
  {
    code: 'InvalidPublicKey',
    when: 'of another address',
    call: buildMultisig({ fromPublicKeys: [publicKey, bytesToHex(stranger.publicKey)] }),
    groups: refusingGroups([]),
    detail: 'fromPublicKeys[1] is none of the 3 keys of this address.',
    documented: 'Invalid public key: 03f9349bf4e01795c990105b7caa0ea35291c6497b7019fab629f11b753984a4ef',
    field: 'fromPublicKeys[1]',
  },
  {
    code: 'InvalidPublicKeyOrder',
    call: buildMultisig({ fromPublicKeys: [...signers].reverse() }),
    groups: refusingGroups([]),
    detail:
      'fromPublicKeys[1] comes before fromPublicKeys[0] in the address: give different keys, in the order in which the address was made of them.',
    documented: 'not there',
    field: 'fromPublicKeys[1]',
  },
  {
    code: 'InvalidPublicKeyOrder',
    when: 'with the same key twice',
    call: buildMultisig({ fromPublicKeys: [publicKey, publicKey] }),
    groups: refusingGroups([]),
    detail:
      'fromPublicKeys[1] is the same as fromPublicKeys[0]: give different keys, in the order in which the address was made of them.',
    documented: 'not there',
    field: 'fromPublicKeys[1]',
  },
  {
    code: 'ScriptTrialFailed',
    call: execute({ bytecode: '0101030000000304117b' }),
    groups: refusingGroups([held(1, coin)]),
    detail: 'The script failed while estimating its gas: Assertion Failed in TxScript, Error Code: 5',
    documented:
      'Execution error when estimating gas for tx script or contract: Assertion Failed in TxScript, Error Code: 5',
    field: 'bytecode',
  },
  {
    code: 'ScriptTrialFailed',
    when: 'with too little approved',
    call: execute({ bytecode: payingScript, attoCoinAmount: '0.5 COIN' }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail: `The script failed while estimating its gas: Not enough approved balance for address ${sender.address}, tokenId: COIN, expected: 1000000000000000000, got: 500000000000000000. Approve 1 COIN (1000000000000000000 attoCoin) with \`attoCoinAmount\`.`,
    documented: 'not there',
    field: 'attoCoinAmount',
  },
  {
    code: 'ScriptTrialFailed',
    when: 'that takes nothing of what is approved',
    call: execute({ bytecode: scriptHex([], 0), attoCoinAmount: '0.5 COIN' }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'The script takes no assets of the sender, but `attoCoinAmount` approves some. Leave it out, or compile the script with preapproved assets.',
    documented: 'not there',
    field: 'attoCoinAmount',
  },
  {
    code: 'GasTooSmall',
    when: 'for a script',
    call: execute({ bytecode: idleScript, gasAmount: 20_000 }),
    groups: refusingGroups([held(1, 9n * coin)]),
    detail:
      'The gas amount of 20000 is too little: this transaction needs 21168, its script included. Give a gas amount of 21168, or leave it out to have it estimated.',
    documented: 'not there',
    field: 'gasAmount',
  },
  {
    code: 'NoUtxo',
    call: execute(),
    groups: refusingGroups([]),
    detail: 'The sender has no spendable outputs to try the script with. Send it coins first.',
    documented: 'No UTXO found.',
    next: utxos,
  },
  {
    code: 'DepositTooSmall',
    call: deploy({ initialAttoCoinAmount: '0.5 COIN' }),
    groups: refusingGroups([]),
    detail:
      'A contract is deployed with at least 1 COIN (1000000000000000000 attoCoin), but gets 0.5 COIN (500000000000000000 attoCoin). Leave the amount out to give the least.',
    documented: 'Expect 1 COIN deposit to deploy a new contract',
    field: 'initialAttoCoinAmount',
  },
  {
    code: 'MissingIssueAmount',
    call: deploy({ initialAttoCoinAmount: '1 COIN', issueTokenTo: receiver.address }),
    groups: refusingGroups([]),
    detail:
      '`issueTokenTo` says who gets the token, but without `issueTokenAmount` none is issued. Give both, or neither.',
    documented: '`issueTokenTo` is specified, but `issueTokenAmount` is not specified',
    field: 'issueTokenAmount',
  },
];
