import { describe, expect, it } from '@jest/globals';
import { inventedOutput, outputViewOf, signTransaction } from '@shardnode/testing/builders';
import { assertInputs } from '@shardnode/testing/sample-contracts';
import { executorWithoutContracts, MemoryContractState } from '@shardnode/testing/contract-state';
import { documentedTextOf } from '@shardnode/testing/documented-texts';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { readVectors } from '@shardnode/testing/vectors';
import { fc } from '@shardnode/testing/properties';
import { parseAssetAddress } from '../address/index.js';
import { verifySignature } from '../crypto/index.js';
import { bytesToHex, decode, encode, hexToBytes } from '../encoding/index.js';
import { developmentNetwork } from '../network/index.js';
import { type AssetLockupScript, dustAmount, groupOfLockupScript, u256Max, zeroHash } from '../primitives/index.js';
import {
  addressConstant,
  type Instruction,
  instructionNamed,
  type StatefulScript,
  statefulScriptCodec,
  statelessScriptCodec,
  statelessScriptHash,
  u256Constant,
} from '../script/index.js';
import { type AssetOutput, type Token } from '../transaction/index.js';
import { checkAdmission, nextBlockEnvironment } from '../policy/index.js';
import { verdictText } from '../validation/index.js';
import {
  buildOutcome,
  BuildRefusal,
  buildScriptTransaction,
  buildTransfer,
  checkDeploymentAssets,
  decodeContractToDeploy,
  missingFieldLists,
  deployScript,
  scriptTrial,
  type ScriptTransactionRequest,
  sumApproved,
  type Utxo,
  utxoSourceOf,
} from './index.js';

const settings = developmentNetwork;
const key = testKeyOfGroup(0);
const coin = 10n ** 18n;
const fee = (gas: number): bigint => BigInt(gas) * 10n ** 11n;
const tokenA = 'aa'.repeat(32);
const now = 1_700_000_000_000n;
const state = new MemoryContractState();
const trial = scriptTrial(
  settings,
  () => nextBlockEnvironment(settings, 0, now, 0x20ffffff),
  () => state.layer(),
);

const scriptOf = (instructions: readonly Instruction[], assetModifier = 1): StatefulScript => ({
  methods: [{ isPublic: true, assetModifier, argsLength: 0, localsLength: 0, returnLength: 0, instructions }],
});
const nothing = scriptOf([]);
const sender = { lockupScript: key.lockupScript, unlockScript: { kind: 'p2pkh' as const, publicKey: key.publicKey } };
const requestOf = (overrides: Partial<ScriptTransactionRequest> = {}): ScriptTransactionRequest => ({
  networkId: settings.networkId,
  sender,
  script: nothing,
  coin: 0n,
  tokens: [],
  gasPrice: 10n ** 11n,
  trial,
  ...overrides,
});
const spendable = (index: number, amount: bigint, tokens: readonly Token[] = []) =>
  inventedOutput(
    {
      kind: 'asset',
      amount,
      lockupScript: key.lockupScript,
      lockTime: 0n,
      tokens,
      additionalData: new Uint8Array(0),
    },
    `output ${index}`,
  );
const asUtxo = ({ reference, output }: { reference: Utxo['reference']; output: AssetOutput }): Utxo => ({
  reference,
  amount: output.amount,
  tokens: output.tokens,
  level: 0,
});
const sourceOf = (...amounts: readonly bigint[]) =>
  utxoSourceOf(amounts.map((amount, i) => asUtxo(spendable(i, amount))));

/** The text that existing clients match. */
const documentedOf = (step: () => unknown): string | undefined => {
  const outcome = buildOutcome(step);
  return outcome.ok ? undefined : documentedTextOf(outcome.refusal);
};

describe('the script of a deployment (protocol 05 Appendix A)', () => {
  interface DeployVector {
    readonly fromAddress: string;
    readonly issueTokenTo: string;
    readonly bytecode: string;
    readonly cases: readonly {
      readonly name: string;
      readonly initialAttoCoinAmount: string;
      readonly initialTokenAmounts?: readonly { readonly id: string; readonly amount: string }[];
      readonly issueTokenAmount?: string;
      readonly issueTokenTo?: string;
      readonly script: string;
    }[];
  }
  const vector = readVectors<{ readonly deployScript: DeployVector }>('http-examples.json').deployScript;
  const contract = decodeContractToDeploy(hexToBytes(vector.bytecode));
  const addressed = (address: string): AssetLockupScript => parseAssetAddress(address)!;

  it.each(vector.cases.map((each) => [each.name, each] as const))('%s', (_, each) => {
    const script = deployScript({
      ...contract,
      deployer: addressed(vector.fromAddress),
      initialCoin: BigInt(each.initialAttoCoinAmount),
      initialTokens: (each.initialTokenAmounts ?? []).map(({ id, amount }) => ({ id, amount: BigInt(amount) })),
      issuedAmount: each.issueTokenAmount === undefined ? undefined : BigInt(each.issueTokenAmount),
      issuedTo: each.issueTokenTo === undefined ? undefined : addressed(each.issueTokenTo),
    });
    const bytes = encode(statefulScriptCodec, script);
    expect(bytesToHex(bytes)).toBe(each.script);
    expect(decode(statefulScriptCodec, bytes)).toEqual(script);
  });

  it('says which lists of fields the bytecode lacks, and nothing of other bytes', () => {
    const code = '00010700000000000118';
    const missing = (hex: string) => missingFieldLists(hexToBytes(hex));
    expect(missing(code)).toBe(
      'this is the code of the contract alone; append its immutable fields, then its mutable fields, each a serialized list, 00 where there are none: 0000 for a contract without fields',
    );
    expect(missing(`${code}00`)).toBe(
      'the second list is missing; append the mutable fields, a serialized list, 00 where there are none',
    );
    for (const other of [`${code}0000`, `${code}000000`, code.slice(0, -2), `${code}01`, '', 'ff'])
      expect(missing(other)).toBeUndefined();
  });

  it('refuses what cannot be deployed', () => {
    const fields = (hex: string) => () =>
      decodeContractToDeploy(hexToBytes(`000107000000000001180000`.slice(0, -4) + hex));
    expect(fields('')).toThrow('Too few bytes: expected 1, got 0');
    expect(fields('000000')).toThrow(/^Too many bytes/);
    expect(fields('01020500')).toThrow(
      'The contract has 0 fields, and the bytecode brings 1 immutable and 0 mutable ones; the values of an array count one by one.',
    );
    const to = key.lockupScript;
    expect(documentedOf(() => checkDeploymentAssets({ initialCoin: coin, issuedTo: to }))).toBe(
      '`issueTokenTo` is specified, but `issueTokenAmount` is not specified',
    );
    expect(documentedOf(() => checkDeploymentAssets({ initialCoin: coin - 1n }))).toBe(
      'Expect 1 {COIN} deposit to deploy a new contract',
    );
  });
});

describe('what a client approves (protocol 07 §16.9)', () => {
  it('is summed, the id of zeros being the coin', () => {
    const tokens = [
      { id: tokenA, amount: 1n },
      { id: zeroHash, amount: 5n },
      { id: tokenA, amount: 2n },
    ];
    expect(sumApproved({ coin: 7n, tokens })).toEqual({ coin: 12n, tokens: [{ id: tokenA, amount: 3n }] });
    expect(sumApproved({ coin: undefined, tokens })).toMatchObject({ coin: 5n });
    expect(sumApproved({ coin: undefined, tokens: [] })).toEqual({ coin: undefined, tokens: [] });
    expect(() => sumApproved({ coin: u256Max, tokens })).toThrow(BuildRefusal);
    expect(documentedOf(() => sumApproved({ coin: 10n ** 27n + 1n, tokens: [] }))).toBe('{COIN} amount overflow');
  });
});

describe('a transaction that runs a script (protocol 02 §7.2)', () => {
  const built = (request: ScriptTransactionRequest, source = sourceOf(10n * coin)) => {
    const outcome = buildScriptTransaction(request, source);
    if (!outcome.ok) throw new Error(`refused: ${outcome.refusal.detail}`);
    return outcome.value;
  };
  const refusal = (request: ScriptTransactionRequest, source = sourceOf(10n * coin)): string => {
    const outcome = buildScriptTransaction(request, source);
    return outcome.ok ? 'built' : documentedTextOf(outcome.refusal)!;
  };

  it('keeps what is approved out of the outputs', () => {
    // 200 and 7 bytes; inputs and outputs stay below the minimum.
    const gas = 20_000 + 200 + 7 + 4_500;
    const { fixedOutputs, gasAmount, script } = built(requestOf({ coin: 3n * coin }));
    expect(gasAmount).toBe(gas);
    expect(script).toEqual(nothing);
    expect(fixedOutputs.map(({ amount }) => amount)).toEqual([7n * coin - fee(gas)]);
  });

  it('selects once more where the change would be too small for an output', () => {
    const gas = 20_000 + 200 + 7 + 4_500;
    const short = 3n * coin + fee(gas) + dustAmount - 1n;
    const request = requestOf({ coin: 3n * coin });
    expect(built(request, sourceOf(short + 1n, 2n * short)).inputs).toHaveLength(1);
    const { inputs, fixedOutputs } = built(request, sourceOf(short, 2n * short));
    expect(inputs).toHaveLength(2);
    expect(fixedOutputs[0]!.amount).toBe(3n * short - 3n * coin - fee(gas));
    expect(refusal(request, sourceOf(short))).toBe(`Not enough balance: got ${short}, expected ${short + 1n}`);
  });

  it('is tried as the reference does it: with inputs that pay for any gas, or all outputs (protocol 02 §7.2 step 2)', () => {
    const counts = (inputs: bigint): StatefulScript => scriptOf(assertInputs(inputs));
    // The most gas costs 0.0625 coins, what the script takes far less.
    const amount = coin / 20n;
    expect(
      built(requestOf({ script: counts(2n), unminable: 'build' }), sourceOf(amount, amount, amount)).inputs,
    ).toHaveLength(1);
    expect(built(requestOf({ script: counts(1n), unminable: 'build' }), sourceOf(amount)).inputs).toHaveLength(1);
  });

  it('takes the gas that the client gives, within its bounds', () => {
    expect(built(requestOf({ gasAmount: 50_000 })).gasAmount).toBe(50_000);
    expect(refusal(requestOf({ gasAmount: 19_999 }))).toBe(
      'Provided gas GasBox(19999) too small, minimal GasBox(20000)',
    );
    expect(refusal(requestOf({ gasAmount: 700_000 }))).toBe(
      'Provided gas GasBox(700000) too large, maximal GasBox(625000)',
    );
    expect(refusal(requestOf({ gasPrice: 1n }))).toBe('Gas price GasPrice(1) too small, minimal GasPrice(1000000000)');
  });

  it('is not built above the gas of a transaction, whatever the policy', () => {
    const source = sourceOf(...Array.from({ length: 200 }, () => coin));
    for (const unminable of ['refuse', 'build'] as const) {
      const build = (coins: bigint) => buildScriptTransaction(requestOf({ coin: coins * coin, unminable }), source);
      const outcome = build(199n);
      if (outcome.ok) throw new Error('it was built');
      expect(outcome.refusal.code).toBe('EstimatedGasTooLarge');
      expect(documentedTextOf(outcome.refusal)).toContain('Consider consolidating UTXOs');
      expect(build(100n).ok).toBe(true);
    }
  });

  it('says why a script that is tried fails, and where', () => {
    const script = scriptOf([
      instructionNamed('ConstFalse'),
      u256Constant(3n),
      instructionNamed('AssertWithErrorCode'),
    ]);
    const outcome = buildScriptTransaction(requestOf({ script }), sourceOf(10n * coin));
    expect(outcome).toMatchObject({
      ok: false,
      refusal: {
        code: 'ScriptTrialFailed',
        detail: 'The script failed while estimating its gas: Assertion Failed in TxScript, Error Code: 3',
        reason: { code: 'AssertionFailedWithErrorCode' },
      },
    });
    const { reason } = (outcome as Extract<typeof outcome, { ok: false }>).refusal;
    expect(reason!.failure!.location).toMatchObject({ methodIndex: 0, instructionIndex: 2 });
    expect(refusal(requestOf({ script }))).toBe(
      'Execution error when estimating gas for tx script or contract: Assertion Failed in TxScript, Error Code: 3',
    );
    expect(refusal(requestOf(), sourceOf())).toBe('No UTXO found.');
    expect(refusal(requestOf({ gasAmount: 20_000 }), sourceOf())).toMatch(/^Not enough balance: got 0/);
  });

  it('is not built for a script that no block holds (00-decisions, 15)', () => {
    const big = scriptOf(Array.from({ length: 5_000 }, () => instructionNamed('Return')));
    expect(refusal(requestOf({ script: big, gasAmount: 100_000 }))).toMatch(/^Code size \d+ bytes is too large/);
    const endless = scriptOf([
      instructionNamed('ConstTrue'),
      instructionNamed('IfTrue', -1),
      instructionNamed('Jump', -2),
    ]);
    expect(refusal(requestOf({ script: endless }))).toMatch(/OutOfGas|Underflow/);
  });

  it('is admitted, whatever the outputs of the sender are', () => {
    const amounts = fc.array(fc.bigInt({ min: dustAmount, max: 3n * coin }), { minLength: 1, maxLength: 12 });
    const tokens = fc.array(fc.constantFrom(tokenA, 'bb'.repeat(32), 'cc'.repeat(32)), { maxLength: 6 });
    fc.assert(
      fc.property(
        amounts,
        tokens,
        fc.bigInt({ min: 0n, max: 3n * coin }),
        fc.bigInt({ min: 1n, max: 9n }),
        (plain, held, approved, amount) => {
          const outputs = [
            ...plain.map((each, i) => spendable(i, each)),
            ...held.map((id, i) => spendable(1_000 + i, dustAmount, [{ id, amount: 5n }])),
          ];
          const wanted = held.length > 0 ? [{ id: held[0]!, amount }] : [];
          const coinWanted = approved < dustAmount * 2n ? 0n : approved;
          const outcome = buildScriptTransaction(
            requestOf({ coin: coinWanted, tokens: coinWanted === 0n ? [] : wanted }),
            utxoSourceOf(outputs.map(asUtxo)),
          );
          if (!outcome.ok) return;
          const verdict = checkAdmission(signTransaction(outcome.value, [key]), {
            settings,
            view: outputViewOf(outputs),
            now,
            verifySignature,
            executor: executorWithoutContracts(settings, 0, now),
          });
          expect(verdictText(verdict)).toBe('valid');
        },
      ),
    );
  });
});

describe('unlock scripts that are tried (protocol 02 §2.6)', () => {
  it('cost what protocol 05 §16.2 says', () => {
    const script = decode(
      statelessScriptCodec,
      hexToBytes('010100010100' + '04' + '13c2017bb7ffd168' + '5b' + '1600' + '52'),
    );
    const unlock = { kind: 'p2sh' as const, script, parameters: [{ type: 'ByteVec' as const, value: key.publicKey }] };
    const later = scriptTrial(
      settings,
      () => nextBlockEnvironment(settings, 0, 1_700_000_000_000n, 0x20ffffff),
      () => state.layer(),
    );
    const owner = { lockupScript: key.lockupScript, unlockScript: unlock };
    expect(2_000 + later.unlockScriptGas(unlock, owner, [asUtxo(spendable(0, coin))])).toBe(4_277);
  });

  it('let a transfer be built whose gas suffices', () => {
    const method = { isPublic: true, assetModifier: 0, argsLength: 0, localsLength: 0, returnLength: 0 };
    const script = Array.from({ length: 40 }, (_, i) => ({
      methods: [
        {
          ...method,
          instructions: Array.from({ length: i }, () => [u256Constant(1n), instructionNamed('Pop')]).flat(),
        },
      ],
    })).find((each) => groupOfLockupScript({ kind: 'p2sh', scriptHash: statelessScriptHash(each) }, 4) === 0)!;
    const lockupScript: AssetLockupScript = { kind: 'p2sh', scriptHash: statelessScriptHash(script) };
    const held = Array.from({ length: 3 }, (_, i) => {
      const { output } = spendable(i, 2n * coin);
      return inventedOutput({ ...output, lockupScript }, `held ${i}`);
    });
    const outcome = buildTransfer(
      {
        networkId: settings.networkId,
        groups: 4,
        sender: { lockupScript, unlockScript: { kind: 'p2sh', script, parameters: [] } },
        destinations: [{ lockupScript: key.lockupScript, amount: 5n * coin, tokens: [] }],
        gasPrice: 10n ** 11n,
        gasFormula: 'document',
        destinationGroups: 'one',
        trial,
      },
      utxoSourceOf(held.map(asUtxo)),
    );
    if (!outcome.ok) throw new Error(outcome.refusal.detail);
    const verdict = checkAdmission(signTransaction(outcome.value, []), {
      settings,
      view: outputViewOf(held),
      now,
      verifySignature,
      executor: executorWithoutContracts(settings, 0, now),
    });
    expect(verdictText(verdict)).toBe('valid');
  });
});

it('the shortest constants are used', () => {
  expect(
    [0n, 5n, 6n].map((value) => bytesToHex(encode(statefulScriptCodec, scriptOf([u256Constant(value)]))).slice(14)),
  ).toEqual(['0c', '11', '1306']);
  expect(addressConstant(key.lockupScript).operand).toBe(key.lockupScript);
});
