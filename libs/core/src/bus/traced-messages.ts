import { currentTracer, runInContext, runWithRequestId, traced } from '../observability/index.js';
import { type IncomingMessage } from './bus-context.js';
import { senderName, type Sender } from './sender.js';

/** `coin.rpc.group.2.read.chain.info` without its namespace. */
const nameOf = (subject: string): string => subject.slice(subject.indexOf('.') + 1);

/** Asks over the bus, as a step of the trace under way. */
export const tracedRequest = (subject: string, ask: () => Promise<unknown>): Promise<unknown> =>
  traced(
    () => ({ name: nameOf(subject), kind: 'client', attributes: { 'messaging.destination.name': nameOf(subject) } }),
    ask,
  );

/**
 * Serves a message under the id of its request, as a step of the trace that it came with. News that nobody traces begin no trace
 * of their own: there are hundreds a second.
 */
export const tracedMessage = <T>(member: Sender, message: IncomingMessage, serve: () => Promise<T>): Promise<T> => {
  const { requestId, traceparent: parent, subject, sender } = message;
  if (parent === undefined || !currentTracer()) return runWithRequestId(requestId, serve);
  const attributes = { 'messaging.destination.name': nameOf(subject), 'peer.service': senderName(sender) };
  const name = `${senderName(member)} ${nameOf(subject)}`;
  return runInContext({ requestId }, () => traced(() => ({ name, kind: 'server', attributes, parent }), serve));
};
