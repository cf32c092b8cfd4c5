import { type BusNetwork, createInProcessNetwork } from '@shardnode/core/bus';
import { type GroupRequests, type BuiltTransaction, type SweepReply } from '@shardnode/messages';
import { decode, encode } from '@shardnode/protocol/encoding';
import { type UnsignedTransaction, unsignedTransactionCodec } from '@shardnode/protocol/transaction';

/** How a group-node that is taken over answers a request of another service; `honest`: what its own program would answer. */
export type Answering = (
  name: string,
  payload: unknown,
  honest: (payload: unknown) => Promise<unknown>,
) => Promise<unknown>;

/** A bus on which every group-node answers so; undefined: honestly. It takes part in all else. */
export const answeringBus = (answering: () => Answering | undefined): BusNetwork => {
  const network = createInProcessNetwork();
  const join: BusNetwork['join'] = async (options) => {
    const connection = await network.join(options);
    const { bus } = connection;
    const request: typeof bus.request = (subject, payload, settings) => {
      const honest = (asked: unknown): Promise<unknown> => bus.request(subject, asked, settings);
      const name = /\.rpc\.group\.\d+\.(.+)$/.exec(subject)?.[1];
      const answer = answering();
      return answer && name !== undefined ? answer(name, payload, honest) : honest(payload);
    };
    return {
      ...connection,
      bus: { sender: bus.sender, request, publish: (subject, payload) => bus.publish(subject, payload) },
    };
  };
  return { join, close: () => network.close() };
};

/** What a group-node that is taken over makes of the transactions that it builds for others. */
export type Harm = (built: UnsignedTransaction) => UnsignedTransaction;

/** Bytes in place of a transaction are possible, too. */
const harmed = (reply: BuiltTransaction, harm: Harm): BuiltTransaction => {
  const unsigned = harm(decode(unsignedTransactionCodec, reply.unsignedTx));
  return { ...reply, unsignedTx: encode(unsignedTransactionCodec, unsigned) };
};

type Reply = GroupRequests['read.building.transfer']['reply'] | GroupRequests['read.building.sweep']['reply'];

const isSweep = (reply: Reply): reply is SweepReply => 'transactions' in reply;

const harming =
  (harm: Harm): Answering =>
  async (name, payload, honest) => {
    const reply = await honest(payload);
    if (!/^read\.building\.(transfer|sweep)$/.test(name)) return reply;
    const built = reply as Reply;
    return isSweep(built)
      ? { ...built, transactions: built.transactions.map((one) => harmed(one, harm)) }
      : harmed(built, harm);
  };

/** A bus on which every group-node answers the requests to build with what `harm` makes of them; undefined: honestly. */
export const takenOverBus = (harm: () => Harm | undefined): BusNetwork =>
  answeringBus(() => {
    const made = harm();
    return made && harming(made);
  });
