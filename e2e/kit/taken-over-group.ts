import { type BusNetwork, createInProcessNetwork } from '@shardnode/core/bus';
import { type GroupRequests, type BuiltTransaction, type SweepReply } from '@shardnode/messages';
import { decode, encode } from '@shardnode/protocol/encoding';
import { type UnsignedTransaction, unsignedTransactionCodec } from '@shardnode/protocol/transaction';

/** What a group-node that is taken over makes of the transactions that it builds for others; it takes part in all else. */
export type Harm = (built: UnsignedTransaction) => UnsignedTransaction;

/** Bytes in place of a transaction are possible, too. */
const harmed = (reply: BuiltTransaction, harm: Harm): BuiltTransaction => {
  const unsigned = harm(decode(unsignedTransactionCodec, reply.unsignedTx));
  return { ...reply, unsignedTx: encode(unsignedTransactionCodec, unsigned) };
};

type Reply = GroupRequests['read.building.transfer']['reply'] | GroupRequests['read.building.sweep']['reply'];

const isSweep = (reply: Reply): reply is SweepReply => 'transactions' in reply;

/** A bus on which every group-node answers the requests to build with what `harm` makes of them; undefined: honestly. */
export const takenOverBus = (harm: () => Harm | undefined): BusNetwork => {
  const network = createInProcessNetwork();
  const join: BusNetwork['join'] = async (options) => {
    const connection = await network.join(options);
    const { bus } = connection;
    const request: typeof bus.request = async (subject, payload, settings) => {
      const reply = await bus.request(subject, payload, settings);
      const made = harm();
      if (!made || !/\.read\.building\.(transfer|sweep)$/.test(subject)) return reply;
      const built = reply as Reply;
      return isSweep(built)
        ? { ...built, transactions: built.transactions.map((one) => harmed(one, made)) }
        : harmed(built, made);
    };
    return {
      ...connection,
      bus: { sender: bus.sender, request, publish: (subject, payload) => bus.publish(subject, payload) },
    };
  };
  return { join, close: () => network.close() };
};
