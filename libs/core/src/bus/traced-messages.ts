import { currentTracer, runInContext, runForRequest, traced } from '../observability/index.js';
import { type IncomingMessage } from './bus-context.js';
import { senderName, type Sender } from './sender.js';

/** `coin.rpc.group.2.read.chain.info` without its namespace. */
const nameOf = (subject: string): string => subject.slice(subject.indexOf('.') + 1);

/** Sends a request over the bus, as a span of the current trace. */
export const tracedRequest = (subject: string, ask: () => Promise<unknown>): Promise<unknown> =>
  traced(
    () => ({ name: nameOf(subject), kind: 'client', attributes: { 'messaging.destination.name': nameOf(subject) } }),
    ask,
  );

/**
 * Serves a message under the id of its request, as a span of the sender's trace. An event without a trace starts none:
 * there are hundreds of events per second.
 */
export const tracedMessage = <T>(member: Sender, message: IncomingMessage, serve: () => Promise<T>): Promise<T> => {
  const { requestId, client, traceparent: parent, subject, sender } = message;
  if (parent === undefined || !currentTracer()) return runForRequest({ requestId, client }, serve);
  const attributes = { 'messaging.destination.name': nameOf(subject), 'peer.service': senderName(sender) };
  const name = `${senderName(member)} ${nameOf(subject)}`;
  return runInContext({ requestId, client }, () => traced(() => ({ name, kind: 'server', attributes, parent }), serve));
};
