import { z } from 'zod';
import { count, flag, group, hash, int32, list, object, oneOf, text, within } from './fields.js';
import { messageSchema } from './message-schema.js';
import { textLengths } from './text-lengths.js';

/** Limits of protocol 09 §4.3 and §4.7. */
const most = { locators: 32, blocks: 500, calls: 10, args: 256 };
/** Bytes of an encoded reply: the lower bound fits one ordinary block, the upper one a message of the bus. */
const replyBytes = { least: 65_536, most: 7_340_032 };

const address = text(textLengths.address);

const val = () =>
  z.union(
    [
      object({ type: oneOf('Bool'), value: flag }),
      object({ type: oneOf('U256', 'I256', 'ByteVec', 'Address'), value: text(textLengths.hex) }),
    ],
    { error: 'expected a value of the machine' },
  );

/** Payload schemas of the feed's requests. */
export const feedPayloads = {
  nothing: messageSchema(() => object({})),
  chainPull: messageSchema((groups) =>
    object({
      chainFrom: group(groups),
      chainTo: group(groups),
      locators: list(object({ height: count, hash }), most.locators),
      limit: within(1, most.blocks).optional(),
      maxBytes: within(replyBytes.least, replyBytes.most).optional(),
      withEvents: flag.optional(),
    }),
  ),
  block: messageSchema(() => object({ hash, withEvents: flag.optional() })),
  chunk: messageSchema(() => object({ hash, offset: count })),
  pool: messageSchema(() => object({ after: hash.optional() })),
  contract: messageSchema(() => object({ address })),
  failure: messageSchema(() => object({ blockHash: hash, txId: hash })),
  calls: messageSchema(() =>
    object({
      calls: list(object({ address, methodIndex: int32, args: list(val(), most.args).optional() }), most.calls),
    }),
  ),
} as const;
