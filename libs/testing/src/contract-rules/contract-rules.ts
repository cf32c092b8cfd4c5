import { targetValue } from '@shardnode/protocol/block';
import { verifySignature } from '@shardnode/protocol/crypto';
import { bytesToHex, decode, encode } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type OutputReference, referenceId } from '@shardnode/protocol/primitives';
import { valsCodec } from '@shardnode/protocol/script';
import {
  ContractLayer,
  contractStateValue,
  type ContractStateSource,
  decodeImmutable,
  type ImmutableEntry,
  type OutputView,
  recordOfStateValue,
} from '@shardnode/protocol/state';
import { type Output, outputCodec } from '@shardnode/protocol/transaction';
import { examineTransaction, scriptExecutor, withContracts } from '@shardnode/protocol/validation';
import { type ContractRules, type ScriptBlock, type StateBefore } from '../ledger-oracle/index.js';

const outputOf = (before: StateBefore, reference: OutputReference): Output | undefined => {
  const bytes = before.output(referenceId(reference));
  return bytes && decode(outputCodec, bytes);
};

const entryOf = <Kind extends ImmutableEntry['kind']>(
  before: StateBefore,
  hash: string,
  kind: Kind,
): Extract<ImmutableEntry, { kind: Kind }> => {
  const bytes = before.immutable(hash);
  const entry = bytes && decodeImmutable(bytes);
  if (entry?.kind !== kind) throw new Error(`there is no immutable entry ${hash} of kind ${kind}`);
  return entry as Extract<ImmutableEntry, { kind: Kind }>;
};

const sourceOver = (before: StateBefore): ContractStateSource => ({
  exists: (id) => before.record(id) !== undefined,
  record: (id) => {
    const value = before.record(id);
    return value && recordOfStateValue(value);
  },
  contractOutput: (reference) => {
    const output = outputOf(before, reference);
    return output?.kind === 'contract' ? output : undefined;
  },
  immutableState: (hash) => entryOf(before, hash, 'state').state,
  contract: (hash) => entryOf(before, hash, 'code').contract,
});

/** Why the rules refuse a transaction, if they do. An error during the check is a reason too. */
const refusalOf = (examine: () => ReturnType<typeof examineTransaction>): string | undefined => {
  try {
    const { verdict } = examine();
    return verdict && `${verdict.code} ${verdict.detail ?? ''}`.trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** The machine and the rules of the product, run for the ledger oracle over the oracle's own state. */
export const contractRules = (settings: NetworkSettings): ContractRules => {
  const run = (block: ScriptBlock, before: StateBefore, layer: ContractLayer) => {
    const { hash, group, timestamp, transactions } = block;
    const target = targetValue(block.target);
    const executor = scriptExecutor(
      { networkId: settings.networkId, timestamp, target, blockHash: hash, group },
      layer,
    );
    const view: OutputView = { output: (reference) => outputOf(before, reference) };
    const common = {
      settings,
      chainIndex: { from: group, to: group },
      timestamp,
      view: withContracts(view, layer),
      verifySignature,
      kind: 'block' as const,
      executor,
    };
    return transactions.flatMap(({ id, transaction }) => {
      if (transaction.unsigned.script === undefined) return [];
      const reason = refusalOf(() => examineTransaction({ ...common, transaction }));
      return reason === undefined ? [] : [{ id, reason }];
    });
  };
  return (block, before) => {
    const layer = ContractLayer.overState(sourceOver(before));
    const refused = run(block, before, layer);
    const { records, immutable, events } = layer.changes();
    return {
      records: new Map([...records].map(([id, record]) => [id, record && contractStateValue(record)])),
      immutable,
      events: events.map(({ contractId, transactionId, eventIndex, fields }) => ({
        contractId,
        txId: transactionId,
        eventIndex,
        fields: bytesToHex(encode(valsCodec, fields)),
      })),
      refused,
    };
  };
};
