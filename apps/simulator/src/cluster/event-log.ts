import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

const printOf = (value: unknown): string => {
  if (value instanceof Uint8Array) return `${value.length} bytes ${digestOf(value)}`;
  if (Array.isArray(value)) return `[${value.map(printOf).join(' ')}]`;
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, part]: [string, unknown]) => `${name}=${printOf(part)}`)
      .join(' ');
  }
  return String(value);
};

const digestOf = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex').slice(0, 16);

/** All events of a simulation, in order, as a hash: equal hashes mean equal runs. */
export class EventLog {
  private readonly hash = createHash('sha256');
  private readonly file: number | undefined;
  count = 0;

  /** @param trace path of a file that gets the log as text, a line for each event */
  constructor(
    private readonly now: () => number,
    trace?: string,
  ) {
    this.file = trace === undefined ? undefined : openSync(trace, 'w');
  }

  add(what: string, ...parts: readonly unknown[]): void {
    const line = `${this.now().toFixed(3)} ${what} ${parts.map(printOf).join(' ')}\n`;
    this.count += 1;
    this.hash.update(line);
    if (this.file !== undefined) writeSync(this.file, line);
  }

  /** Ends the log. 16 hexadecimal digits. */
  end(): string {
    if (this.file !== undefined) closeSync(this.file);
    return this.hash.digest('hex').slice(0, 16);
  }
}
