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
  keyPrefix,
  list,
  milliseconds,
  object,
  optionalChain,
  script,
  uint256Text,
  upTo,
} from './fields.js';
import { messageSchema } from './message-schema.js';

/** Hashes of a locator: the node's own have about ten for 400 heights (protocol 03 §13.1). */
const longestLocator = 64;
/** Milliseconds. */
const longestWait = 8_000;

/** The payloads of requests to group-nodes, named by what they hold. */
export const groupPayloads = {
  nothing: messageSchema(() => object({})),
  chain: messageSchema((groups) => object(chain(groups))),
  /** Negative heights are taken at the edge, and have no blocks. */
  chainAndHeight: messageSchema((groups) => object({ ...chain(groups), height: int32 })),
  chainFromHeight: messageSchema((groups) => object({ ...chain(groups), fromHeight: count.optional() })),
  hash: messageSchema(() => object({ hash })),
  hashAndWait: messageSchema(() => object({ hash, waitMs: upTo(longestWait).optional() })),
  blockHash: messageSchema(() => object({ blockHash: hash })),
  interval: messageSchema(() => object({ fromTs: milliseconds, toTs: milliseconds })),
  transactionId: messageSchema((groups) => object({ ...optionalChain(groups), txId: hash })),
  balance: messageSchema(() => object({ lockupScript: script, mempool: flag })),
  outputs: messageSchema(() => object({ lockupScript: script, offset: count.optional(), limit: count.optional() })),
  stateEntries: messageSchema(() => object({ hash, prefix: keyPrefix, limit: count.optional() })),
  transfer: messageSchema(() =>
    object({
      lockupScript: script,
      unlockScript: script,
      destinations: list(destination),
      gasAmount: count.optional(),
      gasPrice: uint256Text.optional(),
      utxos: list(object({ hint: int32, key: hash })).optional(),
      targetBlockHash: hash.optional(),
      gasFormula,
    }),
  ),
  pull: messageSchema((groups) =>
    object({ asker: group(groups), chain: object(chain(groups)), locator: list(hash, longestLocator) }),
  ),
  block: messageSchema(() => object({ block: bytes })),
  template: messageSchema(() => object({ template: bytes })),
} as const;
