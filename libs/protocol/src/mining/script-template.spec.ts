import { beforeAll, describe, expect, it } from '@jest/globals';
import { assetOutput, type SpendableOutput, signTransaction } from '@shardnode/testing/builders';
import { developmentKeys, type TestKey } from '@shardnode/testing/keys';
import { Workbench } from '@shardnode/testing/workbench';
import { contractIdOf } from '../address/index.js';
import { type Block, genesisBlock, transactionsRoot } from '../block/index.js';
import { deployScript } from '../building/index.js';
import { verifySignature } from '../crypto/index.js';
import { hexToBytes } from '../encoding/index.js';
import { developmentNetwork } from '../network/index.js';
import { type AssetLockupScript, groupOfLockupScript, type Hash } from '../primitives/index.js';
import {
  bytesConstant,
  constantInstruction,
  type Instruction,
  instructionNamed,
  type StatefulScript,
  type StatelessScript,
  statelessScriptHash,
  u256Constant,
} from '../script/index.js';
import {
  type AssetOutput,
  referenceOf,
  type Transaction,
  transactionId,
  type UnlockScript,
} from '../transaction/index.js';
import { checkAdmission, nextBlockEnvironment } from '../policy/index.js';
import {
  auditSteps,
  examineTransaction,
  runSteps,
  scriptExecutor,
  verdictText,
  withContracts,
} from '../validation/index.js';
import { templateLimits } from './index.js';

const settings = developmentNetwork;
const chain = { from: 0, to: 0 };
const coin = 10n ** 18n;
const gasPrice = 10n ** 11n;
let key: TestKey;
let bench: Workbench;
let funds: SpendableOutput[];
/** Those that make the funds. */
const firstBlocks: Block[] = [];

/** Seventy outputs of ten coins of group 0, in the state. */
beforeAll(async () => {
  key = (await developmentKeys())[0]!;
  bench = new Workbench(settings);
  const allocation = genesisBlock(settings, chain).transactions[0]!;
  const held = allocation.unsigned.fixedOutputs[0]! as AssetOutput;
  const parts = Array.from({ length: 70 }, () => assetOutput(key.lockupScript, 10n * coin));
  const gasAmount = 400_000;
  const rest = held.amount - 700n * coin - BigInt(gasAmount) * gasPrice;
  const split = signTransaction(
    {
      version: 0,
      networkId: settings.networkId,
      script: undefined,
      gasAmount,
      gasPrice,
      inputs: [
        {
          outputReference: referenceOf(held, transactionId(allocation.unsigned), 0),
          unlockScript: { kind: 'p2pkh', publicKey: key.publicKey },
        },
      ],
      fixedOutputs: [...parts, assetOutput(key.lockupScript, rest)],
    },
    [key],
  );
  const { transactions } = (firstBlocks[0] = bench.grow(chain, { candidates: [split] }));
  firstBlocks[1] = bench.grow(chain);
  funds = parts.map((output, i) => ({
    output,
    reference: referenceOf(output, transactionId(transactions[0]!.unsigned), i),
  }));
});

const scriptOf = (instructions: readonly Instruction[], assetModifier = 0): StatefulScript => ({
  methods: [{ isPublic: true, assetModifier, argsLength: 0, localsLength: 0, returnLength: 0, instructions }],
});

interface Wish {
  readonly gasAmount?: number;
  /** Spent instead of one of the common outputs. */
  readonly spend?: SpendableOutput;
  readonly unlock?: UnlockScript;
  /** Coin that stays for the script. */
  readonly approved?: bigint;
}

const next = { fund: 0 };
const freshFunds = (): SpendableOutput => funds[next.fund++ % funds.length]!;

/** A transaction that spends one output, gives the change back and runs a script. */
const running = (script: StatefulScript | undefined, wish: Wish = {}): Transaction => {
  const { gasAmount = 100_000, spend = freshFunds(), approved = 0n } = wish;
  const { unlock = { kind: 'p2pkh', publicKey: key.publicKey } } = wish;
  const change = spend.output.amount - approved - BigInt(gasAmount) * gasPrice;
  const unsigned = {
    version: 0,
    networkId: settings.networkId,
    script,
    gasAmount,
    gasPrice,
    inputs: [{ outputReference: spend.reference, unlockScript: unlock }],
    fixedOutputs: [assetOutput(key.lockupScript, change)],
  };
  return signTransaction(unsigned, unlock.kind === 'p2pkh' ? [key] : []);
};

const idOf = ({ unsigned }: Transaction): Hash => transactionId(unsigned);
const flags = ({ transactions }: Pick<Block, 'transactions'>): boolean[] =>
  transactions.slice(0, -1).map(({ scriptExecutionOk }) => scriptExecutionOk);

const nothing = scriptOf([]);
const failing = scriptOf([instructionNamed('ConstFalse'), instructionNamed('Assert')]);
const asksForHash = scriptOf([instructionNamed('BlockHash'), instructionNamed('Pop')]);
/** (-2) to the power of 2^31 - 1: the protocol has no result (protocol 05 §18 item 16). */
const aborting = scriptOf([
  constantInstruction({ type: 'I256', value: -2n }),
  u256Constant(2n ** 31n - 1n),
  instructionNamed('I256Exp'),
  instructionNamed('Pop'),
]);

const admissionOf = (transaction: Transaction): string => {
  const deps = bench.bestDeps(0);
  const contracts = bench.contractsAt(deps[settings.groups - 1]!);
  const now = 3_000_000_000_000n;
  const executor = scriptExecutor(nextBlockEnvironment(settings, 0, now, 0x20ffffff), contracts);
  const view = withContracts(bench.viewAt(0, deps), contracts);
  return verdictText(checkAdmission(transaction, { settings, view, now, verifySignature, executor }));
};

/** The verdict on a block of those who have no state of contracts. */
const audited = ({ header, transactions }: Block): string =>
  verdictText(
    runSteps(
      auditSteps({
        settings,
        header: { ...header, txsHash: transactionsRoot(transactions) },
        transactions,
        viewOf: () => bench.viewAt(0, header.blockDeps),
        verifySignature,
      }),
    ),
  );

/** Instructions that take more than the least gas of a transaction. */
const costly: readonly Instruction[] = Array.from({ length: 400 }, () => [
  bytesConstant(new Uint8Array(2)),
  instructionNamed('Keccak256'),
  instructionNamed('Pop'),
]).flat();

/** Gas that a transaction with this script takes in the next block, when it comes first. */
const gasUsedBy = (script: StatefulScript): number => {
  const deps = bench.bestDeps(0);
  const contracts = bench.contractsAt(deps[settings.groups - 1]!);
  const timestamp = 3_000_000_000_000n;
  const { verdict, gasUsed } = examineTransaction({
    settings,
    transaction: running(script),
    chainIndex: chain,
    timestamp,
    view: withContracts(bench.viewAt(0, deps), contracts),
    verifySignature,
    executor: scriptExecutor(nextBlockEnvironment(settings, 0, timestamp, 0x20ffffff), contracts),
    kind: 'block',
  });
  if (verdict) throw new Error(verdictText(verdict));
  return gasUsed;
};

describe('scripts in a template', () => {
  it('that fail are mined in their failed form, and pay their fee', () => {
    const payable = { ...failing, methods: failing.methods.map((method) => ({ ...method, assetModifier: 3 })) };
    const candidates = [running(failing), running(nothing), running(payable, { approved: 2n * coin })];
    expect(candidates.map(admissionOf)).toEqual([
      'TxScriptExeFailed(AssertionFailed)',
      'valid',
      'TxScriptExeFailed(AssertionFailed)',
    ]);
    const template = bench.template(chain, { candidates });
    expect(template.invalid).toEqual([]);
    expect(flags(template)).toEqual([false, true, false]);
    expect(template.transactions[2]!.generatedOutputs).toEqual([assetOutput(key.lockupScript, 2n * coin)]);
    const block = bench.mine(chain, { candidates });
    expect(audited(block)).toBe('valid');
    // Without the state of contracts nobody knows why a script gives back so much, but its outputs must balance.
    const last = block.transactions[2]!;
    const more = { ...last, generatedOutputs: [assetOutput(key.lockupScript, 3n * coin)] };
    expect(audited({ ...block, transactions: block.transactions.with(2, more) })).toBe(
      'ExistInvalidTx(InvalidCoinBalance)',
    );
    bench.import(block);
  });

  it('that ask for the block hash stay out; so do unlock scripts that do, and both are refused before', () => {
    const method = { isPublic: true, assetModifier: 0, argsLength: 0, localsLength: 0, returnLength: 0 };
    const script: StatelessScript = {
      methods: [{ ...method, instructions: [instructionNamed('BlockHash'), instructionNamed('Pop')] }],
    };
    // Of whatever group its hash says: padded until it is ours.
    const lockup = (padding: number) => {
      const instructions = [
        ...script.methods[0]!.instructions,
        ...Array.from({ length: padding }, () => [instructionNamed('ConstTrue'), instructionNamed('Pop')]).flat(),
      ];
      const padded: StatelessScript = { methods: [{ ...method, instructions }] };
      const lockupScript: AssetLockupScript = { kind: 'p2sh', scriptHash: statelessScriptHash(padded) };
      return { padded, lockupScript };
    };
    const { padded, lockupScript } = Array.from({ length: 40 }, (_, i) => lockup(i)).find(
      (each) => groupOfLockupScript(each.lockupScript, settings.groups) === 0,
    )!;
    const paid = running(undefined);
    const toScript = signTransaction(
      { ...paid.unsigned, fixedOutputs: [{ ...paid.unsigned.fixedOutputs[0]!, lockupScript }] },
      [key],
    );
    bench.grow(chain, { candidates: [toScript] });
    bench.grow(chain);
    const spend = {
      output: toScript.unsigned.fixedOutputs[0]! as AssetOutput,
      reference: referenceOf(toScript.unsigned.fixedOutputs[0]!, idOf(toScript), 0),
    };
    const unlocking = running(undefined, { spend, unlock: { kind: 'p2sh', script: padded, parameters: [] } });
    const candidates = [running(asksForHash), unlocking, running(nothing)];
    expect(candidates.map(admissionOf)).toEqual([
      'TxScriptExeFailed(NoBlockHashAvailable)',
      'UnlockScriptExeFailed(NoBlockHashAvailable)',
      'valid',
    ]);
    const template = bench.template(chain, { candidates });
    expect(template.transactions.slice(0, -1).map(idOf)).toEqual([idOf(candidates[2]!)]);
    expect(template.invalid.map(({ transactionId: id, refusal }) => [id, verdictText(refusal)])).toEqual([
      [idOf(candidates[0]!), 'TxScriptExeFailed(NoBlockHashAvailable)'],
      [idOf(unlocking), 'UnlockScriptExeFailed(NoBlockHashAvailable)'],
    ]);
  });

  it('without a result stay out, and no block may hold them (00-decisions, 29)', () => {
    const transaction = running(aborting);
    expect(admissionOf(transaction)).toBe('TxScriptExeFailed(ExecutionAborted)');
    const template = bench.template(chain, { candidates: [transaction, running(nothing)] });
    expect(flags(template)).toEqual([true]);
    expect(template.invalid).toMatchObject([{ transactionId: idOf(transaction) }]);
  });

  it('see what the scripts before them did to contracts', () => {
    const deploying = running(
      deployScript({
        deployer: key.lockupScript,
        contract: { fieldLength: 0, methods: [{ ...nothing.methods[0]!, assetModifier: 0 }] },
        immutableFields: [],
        mutableFields: [],
        initialCoin: coin,
        initialTokens: [],
      }),
      { approved: coin },
    );
    const contractId = contractIdOf(idOf(deploying), 1, 0);
    const call = [u256Constant(0n), u256Constant(0n), bytesConstant(hexToBytes(contractId))];
    const calling = scriptOf([...call, instructionNamed('CallExternal', 0)]);
    const [early, late] = [running(calling), running(calling)];
    expect(admissionOf(early)).toBe('TxScriptExeFailed(NonExistContract)');
    const candidates = [early, deploying, late];
    expect(flags(bench.template(chain, { candidates }))).toEqual([false, true, true]);
    const block = bench.mine(chain, { candidates });
    bench.import(block);
    expect(bench.contractsAt(block.header.hash).exists(contractId)).toBe(true);
    expect(admissionOf(running(calling))).toBe('valid');
  });

  it('have the gas that unlocking leaves, to the last unit', () => {
    const script = scriptOf(costly);
    const gasUsed = gasUsedBy(script);
    expect(gasUsed).toBeGreaterThan(20_000);
    const [exact, short] = [running(script, { gasAmount: gasUsed }), running(script, { gasAmount: gasUsed - 1 })];
    expect([exact, short].map(admissionOf)).toEqual(['valid', 'TxScriptExeFailed(OutOfGas)']);
    expect(flags(bench.grow(chain, { candidates: [exact, short] }))).toEqual([true, false]);
  });

  it('search for methods anew when one before them stays out, not when it fails (protocol 05 §6.10)', () => {
    const selected = (selector: number) => ({
      ...nothing.methods[0]!,
      instructions: [instructionNamed('MethodSelector', selector)],
    });
    const deploying = running(
      deployScript({
        deployer: key.lockupScript,
        contract: { fieldLength: 0, methods: [1, 2, 3].map(selected) },
        immutableFields: [],
        mutableFields: [],
        initialCoin: coin,
        initialTokens: [],
      }),
      { approved: coin },
    );
    bench.grow(chain, { candidates: [deploying] });
    const contractId = contractIdOf(idOf(deploying), 1, 0);
    const call = [
      u256Constant(0n),
      u256Constant(0n),
      bytesConstant(hexToBytes(contractId)),
      instructionNamed('CallExternalBySelector', 3),
    ];
    const calling = scriptOf([...costly, ...call]);
    const whole = gasUsedBy(calling);
    // Enough where another one has found the method already: it stands third, at 8 gas each.
    const cheap = (): Transaction => running(calling, { gasAmount: whole - 24 });
    const calls = (then: readonly Instruction[]): Transaction => running(scriptOf([...call, ...then]));
    // What grows is imported, under the law of blocks.
    const flagsAfter = (first: Transaction): boolean[] => flags(bench.grow(chain, { candidates: [first, cheap()] }));
    const failed = failing.methods[0]!.instructions;
    const leftOut = [instructionNamed('BlockHash'), instructionNamed('Pop')];
    expect(flagsAfter(calls([]))).toEqual([true, true]);
    expect(flagsAfter(calls(failed))).toEqual([false, true]);
    expect(flagsAfter(calls(leftOut))).toEqual([false]);
    // After several of them it waits for the next template; nothing is said against it.
    const out = [calls(leftOut), calls(leftOut)];
    const { invalid, ...template } = bench.template(chain, { candidates: [...out, cheap()] });
    expect(invalid.map(({ transactionId: id }) => id)).toEqual(out.map(idOf));
    expect(flags(template)).toEqual([]);
  });

  it('leave room for the coinbase: 63 of the largest are a block (decision 16)', () => {
    const rich = new Workbench(settings);
    expect(64 * 625_000).toBeGreaterThan(templateLimits.gas);
    const candidates = funds.slice(0, 64).map((spend) => running(nothing, { gasAmount: 625_000, spend }));
    for (const block of firstBlocks) rich.import(block);
    const template = rich.template(chain, { candidates });
    expect(template.transactions).toHaveLength(64);
    expect(template.invalid).toEqual([]);
    rich.import(rich.mine(chain, { candidates }));
  });
});
