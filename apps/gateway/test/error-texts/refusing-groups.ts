import { ServiceError } from '@shardnode/core/errors';
import {
  type BuildDeployContractRequest,
  type BuildExecuteScriptRequest,
  type BuildManySendersRequest,
  type BuildSweepRequest,
  type BuildTransferRequest,
  type DestinationItem,
} from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import {
  buildManySenders,
  buildOutcome,
  type BuildOutcome,
  buildScriptTransaction,
  buildSweep,
  buildTransfer,
  buildTransferFrom,
  checkDeploymentAssets,
  decodeContractToDeploy,
  deploymentFields,
  deployScript,
  type Destination,
  type Sender,
  scriptTrial,
  type ScriptTransactionRequest,
  type Utxo,
  utxoSourceOf,
} from '@shardnode/protocol/building';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type AssetLockupScript, assetLockupScriptCodec, minimalContractDeposit } from '@shardnode/protocol/primitives';
import { statefulScriptCodec } from '@shardnode/protocol/script';
import { type AssetOutput, unlockScriptCodec } from '@shardnode/protocol/transaction';
import { nextBlockEnvironment } from '@shardnode/protocol/policy';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { type GroupScript } from '../fakes/fake-group.js';

/** An output that a sender has, or that a client chooses. */
export interface Held extends Utxo {
  /** Default: the sender's. */
  readonly owner?: AssetLockupScript;
}

const { networkId, groups } = developmentNetwork;
const now = 1_700_000_000_000n;

const scriptOf = (hex: string): AssetLockupScript => decode(assetLockupScriptCodec, hexToBytes(hex));
const amountOf = (text: string | undefined): bigint | undefined => (text === undefined ? undefined : BigInt(text));
const priceOf = (gasPrice: string | undefined): bigint => BigInt(gasPrice ?? '100000000000');

const senderOf = (scripts: { readonly lockupScript: string; readonly unlockScript: string }): Sender => ({
  lockupScript: scriptOf(scripts.lockupScript),
  unlockScript: decode(unlockScriptCodec, hexToBytes(scripts.unlockScript)),
});

const destinationsOf = (items: readonly DestinationItem[]): Destination[] =>
  items.map(({ lockupScript, amount, tokens, message }) => ({
    lockupScript: scriptOf(lockupScript),
    amount: BigInt(amount),
    tokens: tokens.map((token) => ({ id: token.id, amount: BigInt(token.amount) })),
    message: message === undefined ? undefined : hexToBytes(message),
  }));

/** What a group-node throws for a refusal; the address is that of the sender. */
const thrown = (outcome: BuildOutcome<unknown>, sender?: Sender): never => {
  if (outcome.ok) throw new Error('nothing was refused');
  const { code, detail, facts } = outcome.refusal;
  const address = sender && { address: addressOf(sender.lockupScript) };
  throw new ServiceError('refused', code, detail!, { ...address, ...facts });
};

const lookupIn =
  (held: readonly Held[], sender: Sender) =>
  ({ key }: { readonly key: string }): AssetOutput | undefined => {
    const found = held.find(({ reference }) => reference.key === key);
    if (!found) return undefined;
    const { amount, tokens, lockTime = 0n, owner = sender.lockupScript } = found;
    return { kind: 'asset', amount, tokens, lockTime, lockupScript: owner, additionalData: new Uint8Array(0) };
  };

const transfer =
  (held: readonly Held[]) =>
  (request: BuildTransferRequest): never => {
    const { gasAmount, gasFormula, unminable, utxos } = request;
    const sender = senderOf(request);
    const destinations = destinationsOf(request.destinations);
    const gasPrice = priceOf(request.gasPrice);
    const read = { networkId, groups, sender, destinations, gasAmount, gasPrice, gasFormula, unminable } as const;
    const all = { ...read, destinationGroups: 'one' as const };
    const outcome = utxos
      ? buildTransferFrom(all, utxos, lookupIn(held, sender), now)
      : buildTransfer(all, utxoSourceOf(held));
    return thrown(outcome, sender);
  };

const sweep =
  (held: readonly Held[]) =>
  (request: BuildSweepRequest): never => {
    const sender = senderOf(request);
    const { gasAmount, unminable } = request;
    const outcome = buildSweep(
      {
        networkId,
        sender,
        destination: scriptOf(request.destination),
        gasAmount,
        gasPrice: priceOf(request.gasPrice),
        unminable,
      },
      held,
    );
    return thrown(outcome, sender);
  };

/** Every sender has the same amounts in outputs of its own. */
const ofSender = (held: readonly Held[], index: number): readonly Held[] =>
  held.map((one) => ({ ...one, reference: { ...one.reference, key: `${index}${one.reference.key.slice(1)}` } }));

const manySenders =
  (held: readonly Held[]) =>
  ({ sources, gasPrice, unminable }: BuildManySendersRequest): never => {
    const [first] = sources;
    const outcome = buildManySenders({
      networkId,
      groups,
      sources: sources.map((source, i) => ({
        sender: senderOf(source),
        destinations: destinationsOf(source.destinations),
        gasAmount: source.gasAmount,
        chosen: source.utxos,
        utxos: utxoSourceOf(ofSender(held, i)),
      })),
      gasPrice: priceOf(gasPrice),
      destinationGroups: 'one',
      lookup: lookupIn(held, senderOf(first!)),
      now,
      unminable,
    });
    return thrown(outcome);
  };

const executeScript =
  (held: readonly Held[]) =>
  (request: BuildExecuteScriptRequest): never => {
    const script = decode(statefulScriptCodec, request.script);
    const coin = amountOf(request.amount) ?? 0n;
    const tokens = request.tokens.map(({ id, amount }) => ({ id, amount: BigInt(amount) }));
    return refusedRun(held, request, { script, coin, tokens });
  };

const refusedRun = (
  held: readonly Held[],
  request: BuildExecuteScriptRequest | BuildDeployContractRequest,
  run: Pick<ScriptTransactionRequest, 'script' | 'coin' | 'tokens' | 'fields' | 'isFixed'>,
): never => {
  const sender = senderOf(request);
  const { gasAmount, unminable } = request;
  const gasPrice = priceOf(request.gasPrice);
  const state = new MemoryContractState();
  const trial = scriptTrial(
    developmentNetwork,
    () => nextBlockEnvironment(developmentNetwork, 0, now, 0x20ffffff),
    () => state.layer(),
  );
  const outcome = buildScriptTransaction(
    { ...run, networkId, sender, gasAmount, gasPrice, trial, unminable },
    utxoSourceOf(held),
  );
  return thrown(outcome, sender);
};

const deployContract =
  (held: readonly Held[]) =>
  (request: BuildDeployContractRequest): never => {
    const { initialAmount, issueTokenTo } = request;
    const initialCoin = amountOf(initialAmount) ?? minimalContractDeposit;
    const issuedTo = issueTokenTo === undefined ? undefined : scriptOf(issueTokenTo);
    const checked = buildOutcome(() => checkDeploymentAssets({ initialCoin, issuedTo }));
    if (!checked.ok) return thrown(checked);
    const assets = { deployer: senderOf(request).lockupScript, initialCoin, initialTokens: [] };
    const script = deployScript({ ...decodeContractToDeploy(request.bytecode), ...assets });
    return refusedRun(held, request, {
      script,
      coin: initialCoin,
      tokens: [],
      fields: deploymentFields,
      isFixed: true,
    });
  };

/** Group-nodes whose senders can spend these outputs, or none, and that refuse what they are asked by the real rules. */
export const refusingGroups = (held: readonly Held[] = []): GroupScript => ({
  'read.building.transfer': transfer(held),
  'read.building.sweep': sweep(held),
  'read.building.many-senders': manySenders(held),
  'read.building.execute-script': executeScript(held),
  'read.building.deploy-contract': deployContract(held),
});
