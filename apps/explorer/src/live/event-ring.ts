import { type LiveChange } from '@shardnode/messages';

/** Events of a ring (protocol 08 §6), and their bytes; the oldest are dropped beyond either. */
const most = { events: 2_000, bytes: 16 * 2 ** 20 };

/** A change as the stream sends it. */
export interface LiveEvent {
  readonly change: LiveChange;
  /** The whole event; undefined of one that is for watched addresses alone. */
  readonly text: string | undefined;
  /** Rough size in memory. */
  readonly bytes: number;
}

/** `<epoch>-<n>` */
export const idOf = (epoch: string, n: number): string => `${epoch}-${n}`;

/** An event in the format of the stream. */
export const eventText = (name: string, data: string, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;

export const eventOf = (change: LiveChange): LiveEvent => {
  const data = JSON.stringify(change.data);
  const isOfAddresses = change.name === 'transactions';
  const text = isOfAddresses ? undefined : eventText(change.name, data, idOf(change.epoch, change.n));
  return { change, text, bytes: 2 * data.length };
};

/** The last events of an epoch, without a gap. */
export class EventRing {
  private events: LiveEvent[] = [];
  private bytes = 0;
  private current = { epoch: '', n: 0 };

  /** Epoch and number of the last event. */
  get last(): { readonly epoch: string; readonly n: number } {
    return this.current;
  }

  /** Begins without events; those after `n` follow. */
  restart(epoch: string, n: number): void {
    this.events = [];
    this.bytes = 0;
    this.current = { epoch, n };
  }

  /** Takes the event after the last one. */
  add(event: LiveEvent): void {
    this.events.push(event);
    this.bytes += event.bytes;
    this.current = { epoch: event.change.epoch, n: event.change.n };
    let dropped = 0;
    while (this.events.length - dropped > most.events || this.bytes > most.bytes) {
      this.bytes -= this.events[dropped]!.bytes;
      dropped += 1;
    }
    if (dropped > 0) this.events.splice(0, dropped);
  }

  /** The events after a number; undefined when some of them are gone, or it is of another epoch. */
  after(epoch: string, n: number): readonly LiveEvent[] | undefined {
    const { epoch: current, n: last } = this.current;
    if (epoch !== current || n > last || n < last - this.events.length) return undefined;
    return this.events.slice(this.events.length - (last - n));
  }
}
