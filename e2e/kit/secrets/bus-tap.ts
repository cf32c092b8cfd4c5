import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type Cluster } from '../cluster/cluster.js';

export interface TappedMessage {
  /** Subject; of an answer `answer to` and that of its question. */
  readonly what: string;
  /** Headers and payload. */
  readonly content: Buffer;
}

/** Everything that is said on the bus, past all permissions. */
export class BusTap {
  readonly messages: TappedMessage[] = [];
  private readonly questions = new Map<string, string>();

  private constructor(private readonly connection: NatsConnection) {}

  static async open(cluster: Cluster): Promise<BusTap> {
    const { servers, user, password } = cluster.busAccess();
    const connection = await connect({ servers: [...servers], user, pass: password, maxReconnectAttempts: -1 });
    const tap = new BusTap(connection);
    void tap.listen();
    await connection.flush();
    return tap;
  }

  publish(subject: string, payload: Uint8Array): Promise<void> {
    this.connection.publish(subject, payload);
    return this.connection.flush();
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private async listen(): Promise<void> {
    for await (const { subject, reply, data, headers } of this.connection.subscribe('>')) {
      if (reply !== undefined && reply !== '') this.questions.set(reply, subject);
      const question = this.questions.get(subject);
      const what = question === undefined ? subject : `answer to ${question}`;
      this.messages.push({ what, content: Buffer.concat([Buffer.from(`${headers?.toString() ?? ''}\n`), data]) });
    }
  }
}
