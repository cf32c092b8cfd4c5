/** A message, or a line of the protocol between client and server. */
export interface NatsFrame {
  /** `PUB`, `HPUB`, `MSG`, `HMSG`, `CONNECT`, `PING`, `+OK` ... */
  readonly verb: string;
  /** Only of messages. */
  readonly subject: string | undefined;
  readonly bytes: Buffer;
}

const messageVerbs = new Set(['PUB', 'HPUB', 'MSG', 'HMSG']);
const lineEnd = Buffer.from('\r\n');

/** Cuts a direction of a NATS connection into whole frames. */
export class NatsFrameReader {
  private chunks: Buffer[] = [];
  private size = 0;
  /** Bytes without which another look is of no use. */
  private needed = 1;

  push(chunk: Buffer): NatsFrame[] {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < this.needed) return [];
    const buffer = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    const frames: NatsFrame[] = [];
    let at = 0;
    this.needed = 1;
    while (at < buffer.length) {
      const frame = this.frameAt(buffer, at);
      if (!frame) break;
      frames.push(frame);
      at += frame.bytes.length;
    }
    this.chunks = at < buffer.length ? [buffer.subarray(at)] : [];
    this.size = buffer.length - at;
    return frames;
  }

  private frameAt(buffer: Buffer, at: number): NatsFrame | undefined {
    const headEnd = buffer.indexOf(lineEnd, at);
    if (headEnd === -1) {
      this.needed = buffer.length - at + 1;
      return undefined;
    }
    const [verb = '', ...words] = buffer.toString('utf8', at, headEnd).split(/[ \t]+/);
    const isMessage = messageVerbs.has(verb);
    // The last word is the length of headers and payload together.
    const end = headEnd + 2 + (isMessage ? Number(words.at(-1)) + 2 : 0);
    if (end > buffer.length) {
      this.needed = end - at;
      return undefined;
    }
    return { verb, subject: isMessage ? words[0] : undefined, bytes: buffer.subarray(at, end) };
  }
}
