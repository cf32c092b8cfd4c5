import {
  anyBytes,
  bytes,
  count,
  hash,
  int32,
  int64Text,
  list,
  object,
  script,
  tokenAmounts,
  uint256Text,
  unminable,
} from './fields.js';
import { messageSchema } from './message-schema.js';

/** Limit on calls in one request (protocol 07 §1.14). */
const mostCalls = 20;

const asset = () => ({ amount: uint256Text, tokens: tokenAmounts });
const contract = () =>
  object({ contractId: hash, code: bytes, immutableFields: bytes, mutableFields: bytes, ...asset() });
const run = () => ({
  txId: hash.optional(),
  callerId: hash.optional(),
  // As sent by the client: an index without a method gets its own error.
  methodIndex: int32,
  args: bytes,
  inputAssets: list(object({ lockupScript: script, ...asset() })),
});
const scriptSender = () => ({
  lockupScript: script,
  unlockScript: script,
  gasAmount: count.optional(),
  gasPrice: uint256Text.optional(),
  unminable: unminable.optional(),
});

/** Payload schemas of requests about contracts and events, named by content. */
export const contractPayloads = {
  contract: messageSchema(() => object({ contractId: hash })),
  contractPage: messageSchema(() =>
    object({ contractId: hash, start: count, limit: count, maxBytes: count.optional() }),
  ),
  transaction: messageSchema(() => object({ txId: hash, maxBytes: count.optional() })),
  block: messageSchema(() => object({ hash, maxBytes: count.optional() })),
  test: messageSchema(() =>
    object({
      ...run(),
      contract: contract(),
      existingContracts: list(contract()),
      blockHash: hash.optional(),
      blockTimestamp: int64Text.optional(),
    }),
  ),
  calls: messageSchema(() =>
    object({
      calls: list(
        object({
          ...run(),
          contractId: hash,
          existingContracts: list(hash),
          worldStateBlockHash: hash.optional(),
        }),
        mostCalls,
      ),
    }),
  ),
  executeScript: messageSchema(() =>
    object({ ...scriptSender(), script: anyBytes, amount: uint256Text.optional(), tokens: tokenAmounts }),
  ),
  deployContract: messageSchema(() =>
    object({
      ...scriptSender(),
      bytecode: anyBytes,
      initialAmount: uint256Text.optional(),
      initialTokens: tokenAmounts,
      issueTokenAmount: uint256Text.optional(),
      issueTokenTo: script.optional(),
    }),
  ),
} as const;
