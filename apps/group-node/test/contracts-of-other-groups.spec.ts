import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentedCallText, documentedText } from '@shardnode/http';
import { type BuiltTransaction, type CallReply } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { sign } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { dustAmount, type Hash } from '@shardnode/protocol/primitives';
import {
  addressConstant,
  bytesConstant,
  type Contract,
  contractCodec,
  type Instruction,
  instructionNamed,
  statefulScriptCodec,
  u256Constant,
  valsCodec,
} from '@shardnode/protocol/script';
import { transactionTemplateCodec, unlockScriptCodec, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { methodOf } from '@shardnode/testing/builders';
import { developmentKeys, type TestKey } from '@shardnode/testing/keys';
import { errorOf } from './support/error-of.js';
import { coin, lockupHex, TestNetwork } from './support/network.js';

const none = encode(valsCodec, []);
const codeOf = (instructions: readonly Instruction[]): Uint8Array =>
  encode(contractCodec, { fieldLength: 0, methods: [methodOf(instructions)] } satisfies Contract);
const scriptOf = (instructions: readonly Instruction[], assetModifier = 0): Uint8Array =>
  encode(statefulScriptCodec, { methods: [methodOf(instructions, { assetModifier })] });
const callOf = (contractId: Hash): Instruction[] => [
  u256Constant(0n),
  u256Constant(0n),
  bytesConstant(hexToBytes(contractId)),
  instructionNamed('CallExternal', 0),
];
/** A contract with the code of an existing one. */
const copyOf = (contractId: Hash): Instruction[] => [
  bytesConstant(hexToBytes(contractId)),
  bytesConstant(none),
  bytesConstant(none),
  instructionNamed('CopyCreateContract'),
  instructionNamed('Pop'),
];
const payTo = (from: TestKey, contractId: Hash): Instruction[] => [
  addressConstant(from.lockupScript),
  addressConstant({ kind: 'p2c', contractId }),
  u256Constant(dustAmount),
  instructionNamed('TransferCoin'),
];

const failureOf = (reply: CallReply | undefined): Extract<CallReply, { type: 'CallContractFailed' }> => {
  if (reply?.type !== 'CallContractFailed') throw new Error('the call has not failed');
  return reply;
};

/** A contract of group 0 that is looked up in group 1, at every place where that can be done. */
describe('a contract of another group', () => {
  let network: TestNetwork;
  let keys: readonly TestKey[];
  let contractId: Hash;
  let address: string;
  /** Of group 1: calls that of group 0. */
  let caller: Hash;
  beforeAll(async () => {
    network = await TestNetwork.open();
    keys = await developmentKeys();
    contractId = await deploy(0, codeOf([]));
    address = addressOf({ kind: 'p2c', contractId });
    caller = await deploy(1, codeOf(callOf(contractId)));
  });
  afterAll(() => network.close());

  const sender = ({ lockupScript, publicKey }: TestKey) => ({
    lockupScript: lockupHex(lockupScript),
    unlockScript: bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey })),
  });
  const submit = (group: number, { unsignedTx, txId }: Pick<BuiltTransaction, 'unsignedTx' | 'txId'>) => {
    const unsigned = decode(unsignedTransactionCodec, unsignedTx);
    const inputSignatures = [sign(hexToBytes(txId), keys[group]!.privateKey)];
    const template = encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
    return network.client.request(group, 'command.mempool.submit', { template });
  };
  const deploy = async (group: number, code: Uint8Array): Promise<Hash> => {
    const built = await network.client.request(group, 'read.building.deploy-contract', {
      ...sender(keys[group]!),
      bytecode: new Uint8Array([...code, ...none, ...none]),
      initialTokens: [],
    });
    await submit(group, built);
    return built.contractId;
  };
  const execute = (
    script: Uint8Array,
    more: { readonly gasAmount?: number; readonly amount?: string; readonly unminable?: 'build' } = {},
  ) => network.client.request(1, 'read.building.execute-script', { ...sender(keys[1]!), script, tokens: [], ...more });
  const call = { methodIndex: 0, args: none, inputAssets: [], existingContracts: [] };
  const callIn = async (more: { readonly contractId: Hash; readonly existingContracts?: readonly Hash[] }) =>
    failureOf((await network.client.request(1, 'read.contract.call', { calls: [{ ...call, ...more }] })).results[0]);

  const because =
    'this runs in group 1, whose contracts have ids that end in 01, and the last byte of this one names group 0';
  const recorded = (): string => `Contract ${address} does not exist`;
  const missing = (): string => `${recorded()}: ${because}; call a contract in its own group`;

  it.each([
    ['called', (id: Hash) => scriptOf(callOf(id))],
    ['copied', (id: Hash) => scriptOf(copyOf(id))],
  ])('is named with both groups when it is %s by a script, built or submitted', async (_what, script) => {
    const built = await errorOf(execute(script(contractId)));
    expect([built.code, built.data.contractGroup]).toEqual(['ScriptTrialFailed', 0]);
    expect(built.detail).toBe(`The script failed while estimating its gas: ${missing()}`);
    expect(documentedText(built.code, built.data)).toBe(
      `Execution error when estimating gas for tx script or contract: ${recorded()}`,
    );
    // A script that fails is built for clients that ask for it.
    const submitted = await errorOf(
      execute(script(contractId), { gasAmount: 100_000, unminable: 'build' }).then((each) => submit(1, each)),
    );
    expect([submitted.code, submitted.data.contractGroup]).toEqual(['TxScriptExeFailed', 0]);
    expect(submitted.detail).toBe(`Transaction ${submitted.data.txId} is refused: its script fails: ${missing()}`);
    expect(submitted.data.result).toBe(`TxScriptExeFailed(${recorded()})`);
  });

  it('is named with both groups when a script pays it', async () => {
    const { code, detail, data } = await errorOf(
      execute(scriptOf(payTo(keys[1]!, contractId), 1), { amount: String(coin) }),
    );
    expect([code, data.contractGroup]).toEqual(['ScriptTrialFailed', 0]);
    expect(detail).toBe(
      `The script failed while estimating its gas: Contract ${address} cannot be paid: ${because}; pay a contract in its own group`,
    );
    expect(documentedText(code, data)).toContain('is not allowed when this contract address is not in the call stack');
  });

  it('is named with both groups when a contract that is tested calls it', async () => {
    const contract = {
      contractId: `${'00'.repeat(31)}01`,
      code: codeOf(callOf(contractId)),
      immutableFields: none,
      mutableFields: none,
      amount: String(coin),
      tokens: [],
    };
    const test = { ...call, existingContracts: [], contract };
    const { code, detail, data } = await errorOf(network.client.request(1, 'read.contract.test', test));
    expect([code, data.contractGroup]).toEqual(['ContractTestFailed', 0]);
    expect(detail).toBe(`The method fails: ${missing()}; a test can bring it along in existingContracts`);
    expect(documentedText(code, data)).toBe(`VM execution error: ${recorded()}`);
    const existing = { ...contract, contractId, code: codeOf([]) };
    const brought = network.client.request(1, 'read.contract.test', { ...test, existingContracts: [existing] });
    expect((await brought).returns).toEqual(none);
  });

  it('is named with both groups when a contract that is called calls it', async () => {
    const { error, code, facts } = await callIn({ contractId: caller });
    expect([code, error, facts!.contractGroup]).toEqual(['ContractTestFailed', `The method fails: ${missing()}`, 0]);
    expect(documentedCallText(code!, facts!)).toBe(`VM execution error: ${recorded()}`);
  });

  it('is named with both groups when its state after a call is asked for', async () => {
    const { error, code, facts } = await callIn({ contractId: caller, existingContracts: [contractId] });
    expect([code, error, facts!.contractGroup]).toEqual([
      'ContractNotFound',
      `There is no contract ${address} in this state: ${because}`,
      0,
    ]);
    expect(documentedCallText(code!, facts!)).toBe(`Failed in IO: KeyNotFound: Key ${contractId} not found`);
  });

  it.each(['read.contract.stored', 'read.contract.asset'] as const)(
    'is named with both groups when %s asks for it',
    async (subject) => {
      const { code, detail, data } = await errorOf(network.client.request(1, subject, { contractId }));
      expect([code, data.contractGroup]).toEqual(['ContractNotFound', 0]);
      expect(detail).toBe(`There is no contract ${address} in this state: ${because}`);
    },
  );
});
