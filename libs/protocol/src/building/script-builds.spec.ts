import { describe, expect, it } from '@jest/globals';
import { inventedOutput, outputViewOf, signTransaction, type SpendableOutput } from '@shardnode/testing/builders';
import { assertInputs } from '@shardnode/testing/sample-contracts';
import { executorWithoutContracts, MemoryContractState } from '@shardnode/testing/contract-state';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { fc } from '@shardnode/testing/properties';
import { multisigOf } from '../address/index.js';
import { verifySignature } from '../crypto/index.js';
import { decode, hexToBytes } from '../encoding/index.js';
import { developmentNetwork } from '../network/index.js';
import { checkAdmission, nextBlockEnvironment } from '../policy/index.js';
import { type AssetLockupScript, dustAmount, groupOfLockupScript } from '../primitives/index.js';
import {
  addressConstant,
  bytesConstant,
  contractCodec,
  type Instruction,
  instructionNamed,
  type StatefulScript,
  statelessScriptHash,
  u256Constant,
} from '../script/index.js';
import { type Token, type UnsignedTransaction } from '../transaction/index.js';
import { verdictText } from '../validation/index.js';
import {
  buildScriptTransaction,
  coinOfDeployment,
  deploymentFields,
  deployScript,
  scriptTrial,
  type ScriptTransactionRequest,
  type Sender,
  type Utxo,
  utxoSourceOf,
} from './index.js';

const settings = developmentNetwork;
const now = 1_700_000_000_000n;
const coin = 10n ** 18n;
const [key, { lockupScript: receiver }] = testKeysOfGroup(0, 2) as [TestKey, TestKey];
const ids = ['aa', 'bb'].map((byte) => byte.repeat(32));
const state = new MemoryContractState();
/** A sender, and the keys that sign for it. */
interface Signer extends Sender {
  readonly keys: readonly TestKey[];
}
const single: Signer = {
  lockupScript: key.lockupScript,
  unlockScript: { kind: 'p2pkh', publicKey: key.publicKey },
  keys: [key],
};
const inGroup = <T extends { readonly lockupScript: AssetLockupScript }>(each: (i: number) => T): T =>
  Array.from({ length: 80 }, (_, i) => each(i)).find(({ lockupScript }) => groupOfLockupScript(lockupScript, 4) === 0)!;
const multisig = inGroup((i): Signer => {
  const keys = testKeysOfGroup(0, i + 3).slice(-2);
  const publicKeys = keys.map(({ publicKey }) => publicKey);
  return {
    lockupScript: multisigOf(publicKeys, 2),
    unlockScript: { kind: 'p2mpkh', keys: publicKeys.map((publicKey, index) => ({ publicKey, index })) },
    keys,
  };
});
/** Unlocked by a script without signatures, which takes some gas. */
const scripted = inGroup((i): Signer => {
  const idle = Array.from({ length: i + 1 }, () => [u256Constant(1n), instructionNamed('Pop')]).flat();
  const method = { isPublic: true, assetModifier: 0, argsLength: 0, localsLength: 0, returnLength: 0 };
  const script = { methods: [{ ...method, instructions: idle }] };
  const lockupScript = { kind: 'p2sh' as const, scriptHash: statelessScriptHash(script) };
  return { lockupScript, unlockScript: { kind: 'p2sh', script, parameters: [] }, keys: [] };
});

const scriptOf = (instructions: readonly Instruction[], assetModifier = 1): StatefulScript => ({
  methods: [{ isPublic: true, assetModifier, argsLength: 0, localsLength: 0, returnLength: 0, instructions }],
});

type Outputs = readonly SpendableOutput[];
const outputsOf = (
  held: readonly { readonly amount: bigint; readonly tokens: readonly Token[] }[],
  { lockupScript }: Sender = single,
): Outputs =>
  held.map(({ amount, tokens }, i) =>
    inventedOutput(
      {
        kind: 'asset',
        amount,
        lockupScript,
        lockTime: 0n,
        tokens,
        additionalData: new Uint8Array(0),
      },
      `output ${i}`,
    ),
  );
const plain = (...amounts: readonly bigint[]): Outputs => outputsOf(amounts.map((amount) => ({ amount, tokens: [] })));
const asUtxo = ({ reference, output: { amount, tokens } }: Outputs[number]): Utxo => ({
  reference,
  amount,
  tokens,
  level: 0,
});

const build = (outputs: Outputs, request: Partial<ScriptTransactionRequest>) =>
  buildScriptTransaction(
    {
      networkId: settings.networkId,
      sender: single,
      script: scriptOf([]),
      coin: 0n,
      tokens: [],
      gasPrice: 10n ** 11n,
      trial: scriptTrial(
        settings,
        () => nextBlockEnvironment(settings, 0, now, 0x20ffffff),
        () => state.layer(),
      ),
      ...request,
    },
    utxoSourceOf(outputs.map(asUtxo)),
  );

/** What submitting answers when nothing has changed. */
const submitted = (outputs: Outputs, unsigned: UnsignedTransaction, { keys } = single): string =>
  verdictText(
    checkAdmission(signTransaction(unsigned, keys), {
      settings,
      view: outputViewOf(outputs),
      now,
      verifySignature,
      executor: executorWithoutContracts(settings, 0, now),
    }),
  );

/** The sender pays coin, or units of a token. */
const pays = (amount: bigint, token?: string, { lockupScript } = single): readonly Instruction[] => [
  addressConstant(lockupScript),
  addressConstant(receiver),
  ...(token === undefined ? [] : [bytesConstant(hexToBytes(token))]),
  u256Constant(amount),
  instructionNamed(token === undefined ? 'TransferCoin' : 'TransferToken'),
];
/** Takes more gas with several inputs than with one. */
const costsMoreWithInputs: readonly Instruction[] = [
  instructionNamed('TxInputsSize'),
  u256Constant(1n),
  instructionNamed('U256Gt'),
  instructionNamed('IfFalse', 400),
  ...Array.from({ length: 200 }, () => [instructionNamed('ConstTrue'), instructionNamed('Pop')]).flat(),
];

/** What a refusal says to approve. */
const approvedBy = (text: string): Partial<ScriptTransactionRequest> | undefined => {
  if (!/[Aa]pprove [\d.]+ /.test(text)) return undefined;
  const coins = /\((\d+) atto\{Coin\}\) with `attoCoinAmount`/.exec(text)?.[1];
  const tokens = [...text.matchAll(/(\d+) of token (\w+) with `tokens`/g)].map(([, amount, id]) => ({
    id: id!,
    amount: BigInt(amount!),
  }));
  return { ...(coins === undefined ? {} : { coin: BigInt(coins) }), ...(tokens.length > 0 ? { tokens } : {}) };
};

describe('a script that is built (00-decisions, 26)', () => {
  const takesOne = scriptOf(pays(coin));

  it.each<[string, bigint, string]>([
    ['too little', coin / 2n, 'Approve 1 {COIN} (1000000000000000000 atto{Coin}) with `attoCoinAmount`.'],
    ['nothing', 0n, 'Approve 1 {COIN} (1000000000000000000 atto{Coin}) with `attoCoinAmount`.'],
    [
      'a rest below an output',
      coin + dustAmount / 2n,
      'Approve 1.001 {COIN} (1001000000000000000 atto{Coin}) with `attoCoinAmount`.',
    ],
  ])('is not built with %s approved, and the refusal says what to approve', (_, approved, advice) => {
    const outcome = build(plain(19n * coin), { script: takesOne, coin: approved });
    expect(outcome).toMatchObject({
      ok: false,
      refusal: { code: 'ScriptTrialFailed', facts: { field: 'attoCoinAmount' } },
    });
    if (!outcome.ok) expect(outcome.refusal.detail).toContain(advice);
  });

  it('takes further outputs where tokens that come back would leave too little for their outputs', () => {
    const token = { id: ids[0]!, amount: 5n };
    // The smallest output without a token pays for all but the output that returns the token.
    const outputs = outputsOf([
      { amount: dustAmount, tokens: [token] },
      { amount: 4n * dustAmount, tokens: [] },
      { amount: coin, tokens: [] },
    ]);
    const outcome = build(outputs, { tokens: [{ ...token, amount: 2n }] });
    if (!outcome.ok) throw new Error(outcome.refusal.detail);
    expect(outcome.value.inputs).toHaveLength(3);
    expect(submitted(outputs, outcome.value)).toBe('valid');
    expect(build(outputs.slice(0, 2), { tokens: [{ ...token, amount: 2n }] })).toMatchObject({
      ok: false,
      refusal: { detail: expect.stringMatching(/Send coins to it first\.$/) },
    });
  });

  it('is not built where it takes nothing of what is approved', () => {
    expect(build(plain(19n * coin), { script: scriptOf([], 0), coin })).toMatchObject({
      ok: false,
      refusal: { code: 'ScriptTrialFailed', facts: { field: 'attoCoinAmount' } },
    });
    expect(build(plain(19n * coin), { script: scriptOf([], 0) }).ok).toBe(true);
  });

  it('is not built where it takes a signature, which no submit brings', () => {
    const script = scriptOf([bytesConstant(key.publicKey), instructionNamed('VerifyTxSignature')]);
    expect(build(plain(19n * coin), { script })).toMatchObject({ ok: false, refusal: { code: 'ScriptTrialFailed' } });
  });

  it('has gas for its script, or the refusal says how much', () => {
    const outputs = plain(19n * coin);
    const idle = Array.from({ length: 1_500 }, () => [instructionNamed('ConstTrue'), instructionNamed('Pop')]);
    const script = scriptOf([...pays(coin), ...idle.flat()]);
    const outcome = build(outputs, { script, coin, gasAmount: 20_000 });
    if (outcome.ok) throw new Error('it was built');
    const gasAmount = Number(/Give a gas amount of (\d+)/.exec(outcome.refusal.detail!)?.[1]);
    expect(outcome.refusal.code).toBe('GasTooSmall');
    expect(build(outputs, { script, coin, gasAmount: gasAmount - 1 }).ok).toBe(false);
    expect(build(outputs, { script, coin, gasAmount }).ok).toBe(true);
    expect(build(outputs, { script, coin }).ok).toBe(true);
  });

  it('is tried with the inputs that it spends', () => {
    const counts = (inputs: bigint): StatefulScript => scriptOf(assertInputs(inputs));
    // The most gas costs 0.0625 coins, which takes two of them.
    const amount = coin / 20n;
    expect(build(plain(amount, amount, amount), { script: counts(1n) }).ok).toBe(true);
    expect(build(plain(amount, amount, amount), { script: counts(2n) }).ok).toBe(false);
    expect(build(plain(amount, amount), { script: counts(2n), coin: amount }).ok).toBe(true);
  });

  it('is accepted at submit, whatever script, amounts, tokens, outputs and gas; who follows a refusal is not refused', () => {
    const near = (most: bigint) =>
      fc.oneof(
        fc.bigInt({ min: 0n, max: 8n }).map((halves) => (halves * dustAmount) / 2n),
        fc.bigInt({ min: 0n, max: 4n }).map((quarters) => (quarters * most) / 4n),
        fc.bigInt({ min: 0n, max: most }),
      );
    const tokens = fc
      .array(fc.bigInt({ min: 0n, max: 6n }), { minLength: 2, maxLength: 2 })
      .map((amounts) => amounts.flatMap((amount, i) => (amount > 0n ? [{ id: ids[i]!, amount }] : [])));
    const step = fc.oneof(
      near(2n * coin).map((amount) => (own: Signer) => pays(amount, undefined, own)),
      near(2n * coin).map((amount) => (own: Signer) => pays(amount, undefined, own)),
      fc.tuple(fc.bigInt({ min: 0n, max: 6n }), fc.constantFrom(...ids)).map(
        ([amount, id]) =>
          (own: Signer) =>
            pays(amount, id, own),
      ),
      fc.constant(() => costsMoreWithInputs),
    );
    const seen = { built: 0, advised: 0, followed: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.record({ amount: fc.oneof(near(3n * coin), fc.constant(5n * coin)), tokens }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.array(step, { maxLength: 3 }),
        fc.constantFrom(1, 1, 1, 0),
        near(3n * coin),
        tokens,
        fc.constantFrom(undefined, undefined, 40_000),
        fc.constantFrom(single, single, multisig, scripted),
        (held, steps, assetModifier, approved, wanted, gasAmount, sender) => {
          const outputs = outputsOf(
            held.map((one) => ({ ...one, amount: one.amount + dustAmount })),
            sender,
          );
          const script = scriptOf(
            steps.flatMap((each) => each(sender)),
            assetModifier,
          );
          const request = { sender, script, coin: approved, tokens: wanted, gasAmount };
          const outcome = build(outputs, request);
          if (outcome.ok) {
            seen.built += 1;
            expect(submitted(outputs, outcome.value, sender)).toBe('valid');
            return;
          }
          const text = outcome.refusal.detail!;
          const advice = approvedBy(text);
          if (!advice) return;
          seen.advised += 1;
          const gas = /ive a gas amount of (\d+)/.exec(text)?.[1];
          const merged = [
            ...wanted.filter(({ id }) => !advice.tokens?.some((one) => one.id === id)),
            ...(advice.tokens ?? []),
          ];
          const after = build(outputs, {
            ...request,
            ...advice,
            tokens: merged,
            ...(gas === undefined ? {} : { gasAmount: Number(gas) }),
          });
          expect([text, after.ok ? submitted(outputs, after.value, sender) : after.refusal.detail]).toEqual([
            text,
            'valid',
          ]);
        },
      ),
      { numRuns: 800 },
    );
    expect(seen.built).toBeGreaterThan(100);
    expect(seen.advised).toBeGreaterThan(50);
  });
});

describe('a deployment', () => {
  const deployment = {
    contract: decode(contractCodec, hexToBytes('00010700000000000118')),
    immutableFields: [],
    mutableFields: [],
    deployer: key.lockupScript,
    initialCoin: coin,
    initialTokens: [{ id: ids[0]!, amount: 5n }],
  };
  const request = {
    script: deployScript(deployment),
    coin: coinOfDeployment(deployment),
    tokens: deployment.initialTokens,
    fields: deploymentFields,
    isFixed: true,
  };
  const tokens = [{ id: ids[0]!, amount: 7n }];

  it.each(['refuse', 'build'] as const)('that the sender cannot pay says so, with the policy %s', (unminable) => {
    const few = outputsOf([{ amount: coin / 2n, tokens }]);
    expect(build(few, { ...request, unminable })).toMatchObject({
      ok: false,
      refusal: {
        code: 'NotEnoughBalance',
        detail: expect.stringMatching(/can spend 0\.5 .*Send coins to it first\.$/),
        facts: { field: 'initialAttoCoinAmount' },
      },
    });
    expect(build(plain(9n * coin), { ...request, unminable })).toMatchObject({
      ok: false,
      refusal: { code: 'NotEnoughBalance', facts: { field: 'initialTokenAmounts', token: ids[0] } },
    });
    expect(build(outputsOf([{ amount: 9n * coin, tokens }]), { ...request, unminable }).ok).toBe(true);
  });
});
