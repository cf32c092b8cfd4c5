import {
  bytes,
  chain,
  count,
  destination,
  flag,
  gasFormula,
  group,
  hash,
  int32,
  int64Text,
  keyPrefix,
  list,
  milliseconds,
  object,
  optionalChain,
  outputsToSpend,
  script,
  uint256Text,
  unminable,
  upTo,
  utxoPart,
} from './fields.js';
import { messageSchema } from './message-schema.js';

/** Longest locator in hashes; the node's own have about ten for 400 heights (protocol 03 §13.1). */
const longestLocator = 64;
/** One for each group. */
const mostGroups = 256;
/** Milliseconds. */
const longestWait = 8_000;
/** Limit on sources: each has an input, and a transaction has at most as many inputs. */
const mostSources = 256;

/** Payload schemas of requests to group-nodes, named by content. */
export const groupPayloads = {
  nothing: messageSchema(() => object({})),
  chain: messageSchema((groups) => object(chain(groups))),
  /** The HTTP edge accepts negative heights, which have no blocks. */
  chainAndHeight: messageSchema((groups) => object({ ...chain(groups), height: int32 })),
  chainFromHeight: messageSchema((groups) => object({ ...chain(groups), fromHeight: count.optional() })),
  hash: messageSchema(() => object({ hash })),
  hashAndWait: messageSchema(() => object({ hash, waitMs: upTo(longestWait).optional() })),
  blockHash: messageSchema(() => object({ blockHash: hash })),
  blockToRead: messageSchema(() => object({ hash, withEvents: flag.optional(), maxBytes: count.optional() })),
  blocksToRead: messageSchema(() =>
    object({ fromTs: milliseconds, toTs: milliseconds, withEvents: flag.optional(), maxBytes: count.optional() }),
  ),
  interval: messageSchema(() => object({ fromTs: milliseconds, toTs: milliseconds })),
  page: messageSchema((groups) =>
    object({
      offset: count.optional(),
      limit: count.optional(),
      to: group(groups).optional(),
      maxBytes: count.optional(),
    }),
  ),
  pendingId: messageSchema(() => object({ txId: hash })),
  lockupScripts: messageSchema(() => object({ lockupScripts: list(script, mostGroups) })),
  transactionId: messageSchema((groups) => object({ ...optionalChain(groups), txId: hash })),
  balance: messageSchema(() => object({ lockupScript: script, mempool: flag })),
  outputs: messageSchema(() => object({ lockupScript: script, offset: count.optional(), limit: count.optional() })),
  walk: messageSchema(() =>
    object({ lockupScript: script, part: utxoPart, after: object({ amount: uint256Text, key: hash }).optional() }),
  ),
  stateEntries: messageSchema(() => object({ hash, prefix: keyPrefix, limit: count.optional() })),
  transfer: messageSchema(() =>
    object({
      lockupScript: script,
      unlockScript: script,
      destinations: list(destination),
      gasAmount: count.optional(),
      gasPrice: uint256Text.optional(),
      utxos: outputsToSpend.optional(),
      targetBlockHash: hash.optional(),
      gasFormula,
      unminable: unminable.optional(),
    }),
  ),
  sweep: messageSchema(() =>
    object({
      lockupScript: script,
      unlockScript: script,
      destination: script,
      maxAmountPerUtxo: uint256Text.optional(),
      lockTime: int64Text.optional(),
      gasAmount: count.optional(),
      gasPrice: uint256Text.optional(),
      targetBlockHash: hash.optional(),
      unminable: unminable.optional(),
    }),
  ),
  manySenders: messageSchema(() =>
    object({
      sources: list(
        object({
          lockupScript: script,
          unlockScript: script,
          destinations: list(destination),
          gasAmount: count.optional(),
          utxos: outputsToSpend.optional(),
        }),
        mostSources,
      ),
      gasPrice: uint256Text.optional(),
      targetBlockHash: hash.optional(),
      unminable: unminable.optional(),
    }),
  ),
  pull: messageSchema((groups) =>
    object({ asker: group(groups), chain: object(chain(groups)), locator: list(hash, longestLocator) }),
  ),
  block: messageSchema(() => object({ block: bytes })),
  template: messageSchema(() => object({ template: bytes })),
} as const;
