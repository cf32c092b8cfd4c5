import { connect, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { bytesHeader, encodeFrame, FrameError } from '../../../libs/core/src/bus/frame.js';
import { type Cluster } from './cluster.js';

/** What a message of our services carries beside its payload; each header can be left out, or be nonsense. */
export interface RawMessage {
  readonly data: Uint8Array;
  /** Lines of the header block after its first one, each with its end: `X-Sender: gateway\r\n`. */
  readonly headers?: string;
}

/** An answer as it came: the kind of an error, empty for none. */
interface RawAnswer {
  readonly errorKind: string;
  readonly text: string;
}

/** A connection to the bus with the permissions of a service, and with nothing of ours that would mind what it sends. */
export interface RawBus {
  readonly user: string;
  publish(subject: string, message: RawMessage): void;
  /** Answers every request of a sender on a subject with this message. */
  serve(subject: string, sender: string, answer: RawMessage): void;
  /** Undefined when nobody answers in time. */
  request(subject: string, message: RawMessage, withinMs: number): Promise<RawAnswer | undefined>;
  /** Subjects that the server did not let this user publish to. */
  readonly refused: readonly string[];
  /** All that was published has reached the server. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** The library wants an object, of which it asks for the bytes. */
const headerBlock = (lines: string): MsgHdrs =>
  ({ encode: () => Buffer.from(`NATS/1.0\r\n${lines}\r\n`) }) as unknown as MsgHdrs;

const watchRefusals = async (connection: NatsConnection, refused: string[]): Promise<void> => {
  for await (const status of connection.status()) {
    if (status.type === 'error') refused.push(status.error.message);
  }
};

/** @param user of the bus: `gateway`, `group-node-2` */
export const joinRaw = async (cluster: Cluster, user: string): Promise<RawBus> => {
  const { servers, password } = cluster.busAccess(user);
  const connection = await connect({ servers: [...servers], user, pass: password, inboxPrefix: `_INBOX.${user}` });
  const refused: string[] = [];
  void watchRefusals(connection, refused);
  const optionsOf = ({ headers }: RawMessage) => (headers === undefined ? {} : { headers: headerBlock(headers) });
  return {
    user,
    refused,
    publish: (subject, message) => connection.publish(subject, message.data, optionsOf(message)),
    serve: (subject, sender, answer) => {
      const callback = (_error: unknown, message: Msg): void => {
        if (message.headers?.get('X-Sender') === sender) message.respond(answer.data, optionsOf(answer));
      };
      connection.subscribe(subject, { callback });
    },
    request: async (subject, message, withinMs) => {
      try {
        const options = { timeout: withinMs, ...optionsOf(message) };
        const { data, headers } = await connection.request(subject, message.data, options);
        return { errorKind: headers?.get('X-Error') ?? '', text: Buffer.from(data).toString('latin1') };
      } catch {
        return undefined;
      }
    },
    flush: () => connection.flush(),
    close: () => connection.close(),
  };
};

/** A message that is right in form. Undefined for a payload that no service of ours could send. */
export const framed = (sender: string, payload: unknown, deadlineMs = 5_000): RawMessage | undefined => {
  try {
    const { data, lengths } = encodeFrame(payload);
    const parts = lengths === undefined ? '' : `${bytesHeader}: ${lengths}\r\n`;
    return { data, headers: `X-Sender: ${sender}\r\nX-Deadline-Ms: ${deadlineMs}\r\n${parts}` };
  } catch (error) {
    if (error instanceof FrameError) return undefined;
    throw error;
  }
};

const bytesOf = (text: string): Uint8Array => Buffer.from(text);

/** Messages that cannot be read, whatever they are for. `random` gives that many random bytes. */
export const unreadable = (sender: string, random: (length: number) => Uint8Array): readonly RawMessage[] => {
  const from = `X-Sender: ${sender}\r\n`;
  return [
    { data: random(0) },
    { data: random(100) },
    { data: bytesOf('{}') },
    { data: random(100), headers: from },
    { data: random(70_000), headers: from },
    { data: bytesOf('{"a":'), headers: from },
    { data: bytesOf('['.repeat(100_000)), headers: from },
    { data: bytesOf('{}'), headers: `${from}X-Bytes: 3,5\r\n` },
    { data: bytesOf('{}'), headers: `${from}X-Bytes: -1,3\r\n` },
    { data: bytesOf('{"a":{"$bytes":7}}xy'), headers: `${from}X-Bytes: 18,2\r\n` },
    { data: bytesOf('{"__proto__":{"$bytes":0}}xy'), headers: `${from}X-Bytes: 26,2\r\n` },
    { data: bytesOf('{}'), headers: `${from}X-Deadline-Ms: soon\r\n` },
    { data: bytesOf('{}'), headers: 'X-Sender: Nobody At All!\r\n' },
    { data: bytesOf('{}'), headers: `X-Sender: ${'a'.repeat(5_000)}\r\n` },
    { data: bytesOf('{}'), headers: 'no colon in it\r\n' },
    { data: bytesOf('{}'), headers: ': no name\r\n\u0000\u0001: x\r\n' },
  ];
};
