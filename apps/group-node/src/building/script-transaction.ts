import {
  type BuildDeployContractRequest,
  type BuildExecuteScriptRequest,
  builtDeployment,
  type BuiltDeployment,
  builtTransaction,
  type BuiltTransaction,
  type TokenAmount,
  serviceError,
} from '@shardnode/messages';
import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { addressOf } from '@shardnode/protocol/address';
import {
  type ApprovalFields,
  type ApprovedAssets,
  buildOutcome,
  buildScriptTransaction,
  checkDeploymentAssets,
  coinOfDeployment,
  decodeContractToDeploy,
  missingFieldLists,
  type Deployment,
  deploymentFields,
  deployScript,
  type Sender,
  sumApproved,
} from '@shardnode/protocol/building';
import { decode, DecodeError } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec, minimalContractDeposit } from '@shardnode/protocol/primitives';
import { type StatefulScript, statefulScriptCodec } from '@shardnode/protocol/script';
import { type Token, type UnsignedTransaction } from '@shardnode/protocol/transaction';
import { contractsNamedIn } from '../contracts/named-contracts.js';
import { type BuilderReads } from './builder-reads.js';
import { refusalError } from './built.js';
import { decodeField, readGasPrice, readSender } from '../requests/request-fields.js';
import { buildNow } from './spendable-at.js';
import { lastingTrial } from './trial.js';
import { withUsableOutputs } from './usable-outputs.js';

/** Fields of sender and gas that both kinds of script transactions share. */
type ScriptRequest = Pick<
  BuildExecuteScriptRequest,
  'lockupScript' | 'unlockScript' | 'gasAmount' | 'gasPrice' | 'unminable'
>;

interface ScriptToRun {
  readonly sender: Sender;
  readonly script: StatefulScript;
  /** attoCoin */
  readonly coin: bigint;
  readonly tokens: readonly Token[];
  readonly fields?: ApprovalFields;
  readonly isFixed?: boolean;
}

const amountOf = (text: string | undefined): bigint | undefined => (text === undefined ? undefined : BigInt(text));

const approvedAssets = (coin: string | undefined, tokens: readonly TokenAmount[]): ApprovedAssets => ({
  coin: amountOf(coin),
  tokens: tokens.map(({ id, amount }) => ({ id, amount: BigInt(amount) })),
});

/** The result of a pure step. Throws its refusal as an error. */
const orRefused = <T>(step: () => T): T => {
  const outcome = buildOutcome(step);
  if (!outcome.ok) throw refusalError(outcome.refusal);
  return outcome.value;
};

/** From the usable outputs of the sender, pending ones included (protocol 02 §7.2). */
const built = async (
  node: BuilderReads,
  { gasAmount, gasPrice, unminable }: ScriptRequest,
  run: ScriptToRun,
): Promise<UnsignedTransaction> => {
  const { state } = node;
  const { networkId } = state.settings;
  const senders = [run.sender.lockupScript];
  await state.memory.loadContracts(state.shown.state, contractsNamedIn([run.script]));
  const request = { ...run, networkId, gasAmount, gasPrice: readGasPrice(gasPrice), unminable };
  const buildAt = (time: bigint) =>
    node.trials.run(async () => {
      // Requests that arrived in the same event-loop tick would all run in it. The yield lets other work run first.
      await yieldToEventLoop();
      const trial = lastingTrial(node, time);
      return withUsableOutputs(node, senders, { now: time }, ([source]) =>
        buildScriptTransaction({ ...request, trial: trial() }, source!),
      );
    });
  const outcome = await buildNow(node, senders, buildAt);
  if (outcome.ok) return outcome.value;
  const { spendableAt: when } = outcome;
  throw refusalError(outcome.refusal, {
    address: addressOf(run.sender.lockupScript),
    ...(when === undefined ? {} : { spendableAt: when }),
  });
};

const readScript = (bytes: Uint8Array): StatefulScript => {
  try {
    return decode(statefulScriptCodec, bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw serviceError('Undecodable', 'Invalid TxScript', { field: 'bytecode' });
  }
};

/** A transaction that runs a script (protocol 07 §10.3). Throws `refused`, `invalid-request`, `unavailable`. */
export const buildExecuteScriptFor = async (
  node: BuilderReads,
  message: BuildExecuteScriptRequest,
): Promise<BuiltTransaction> => {
  node.sync.requireReady();
  const sender = readSender(node, message);
  const script = readScript(message.script);
  const { coin = 0n, tokens } = orRefused(() => sumApproved(approvedAssets(message.amount, message.tokens)));
  return builtTransaction(await built(node, message, { sender, script, coin, tokens }), node.state.settings.groups);
};

const readContract = (bytecode: Uint8Array): ReturnType<typeof decodeContractToDeploy> => {
  try {
    return orRefused(() => decodeContractToDeploy(bytecode));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const missing = missingFieldLists(bytecode);
    const detail = `bytecode: ${error.message}${missing === undefined ? '' : `: ${missing}`}`;
    throw serviceError('Undecodable', detail, { field: 'bytecode' });
  }
};

const readDeployment = (message: BuildDeployContractRequest, sender: Sender): Deployment => {
  const initial = orRefused(() => sumApproved(approvedAssets(message.initialAmount, message.initialTokens)));
  const { issueTokenTo } = message;
  const assets = {
    deployer: sender.lockupScript,
    initialCoin: initial.coin ?? minimalContractDeposit,
    initialTokens: initial.tokens,
    issuedAmount: amountOf(message.issueTokenAmount),
    issuedTo:
      issueTokenTo === undefined ? undefined : decodeField(assetLockupScriptCodec, issueTokenTo, 'issueTokenTo'),
  };
  orRefused(() => checkDeploymentAssets(assets));
  return { ...readContract(message.bytecode), ...assets };
};

/** A transaction that deploys a contract (protocol 07 §10.2, 05 Appendix A). Throws as `buildExecuteScriptFor`. */
export const buildDeployContractFor = async (
  node: BuilderReads,
  message: BuildDeployContractRequest,
): Promise<BuiltDeployment> => {
  node.sync.requireReady();
  const sender = readSender(node, message);
  const deployment = readDeployment(message, sender);
  const script = deployScript(deployment);
  const coin = coinOfDeployment(deployment);
  const { initialTokens: tokens } = deployment;
  const run = { sender, script, coin, tokens, fields: deploymentFields, isFixed: true };
  return builtDeployment(await built(node, message, run), node.state.settings.groups);
};
