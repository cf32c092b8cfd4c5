import { randomUUID } from 'node:crypto';
import { type ServerResponse } from 'node:http';
import { type OnModuleDestroy } from '@nestjs/common';
import { Tally } from '@shardnode/core/concurrency';
import { clientOfAddress } from '@shardnode/core/http-limits';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type LiveChange } from '@shardnode/messages';
import { type ExplorerSettings } from '../settings.js';
import { explorerError } from '../errors.js';
import { readLiveSnapshot } from '../reads/live-reads.js';
import { type Reads } from '../database/reads.js';
import { EventRing, eventOf, eventText, idOf } from './event-ring.js';
import { type Listening, StreamClient } from './stream-client.js';

/** Milliseconds (protocol 08 §6). */
const aliveEvery = 15_000;
/** Milliseconds for which clients that begin share one snapshot. */
const snapshotFor = 1_000;
/** Of a client that is refused. */
const retryAfterSeconds = 30;
/** Milliseconds after which a client connects again: a fixed part, and a random one. */
const retry = { least: 3_000, random: 1_500 };

/** One client address gets this part of the places, so that it cannot take all of them. */
const partOfOne = 10;

/** The index at an event. */
interface SharedSnapshot {
  readonly epoch: string;
  readonly n: number;
  /** `monotonic` when it was read. */
  readonly since: number;
  readonly text: Promise<string>;
}

/** The clients of the stream of one process (protocol 08 §6). */
export class LiveStream implements OnModuleDestroy {
  private readonly ring = new EventRing();
  private readonly clients = new Set<StreamClient>();
  /** Clients by address. */
  private readonly connections = new Tally();
  private snapshot: SharedSnapshot | undefined;
  private alive: Timer | undefined;

  constructor(
    private readonly settings: ExplorerSettings,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {
    // Until the writer is heard: no id of a former process is taken for one of this.
    this.ring.restart(randomUUID(), 0);
  }

  get clientCount(): number {
    return this.clients.size;
  }

  /** Of the last change that this process's index shows. */
  get lastEventId(): string {
    const { epoch, n } = this.ring.last;
    return idOf(epoch, n);
  }

  /** Whether the writer has reported a change. */
  get isHeard(): boolean {
    return this.ring.last.n > 0;
  }

  /**
   * Checks that there is a place for a client, before anything is sent.
   * @param address of the client; behind a trusted proxy the one that the proxy names
   * @throws ServiceError `StreamFull`, `TooManyRequests` because of the clients of its own address
   */
  admit(address: string): void {
    const { streamMaxClients } = this.settings;
    if (this.clients.size >= streamMaxClients)
      throw explorerError('StreamFull', `${streamMaxClients} clients listen already: poll instead, or try again`, {
        retryAfterSeconds,
      });
    const mostOfOne = Math.ceil(streamMaxClients / partOfOne);
    if (this.connections.of(clientOfAddress(address)) < mostOfOne) return;
    throw explorerError(
      'TooManyRequests',
      `${mostOfOne} clients of this address listen already: share a stream, poll instead, or try again`,
      { retryAfterSeconds },
    );
  }

  /**
   * Serves a client until it leaves. Its headers are sent.
   * @param address as `admit` got it
   * @param lastEventId of the last event that it has; missed ones follow if they are still there, else a snapshot
   */
  async serve(
    response: ServerResponse,
    address: string,
    listening: Listening,
    lastEventId: string | undefined,
  ): Promise<void> {
    // It has left already: nothing would say so again.
    if (response.destroyed) return;
    const client = new StreamClient(response, listening);
    const owner = clientOfAddress(address);
    this.clients.add(client);
    this.connections.add(owner);
    response.once('close', () => {
      this.connections.subtract(owner);
      this.onClose(client);
    });
    this.alive ??= this.clock.after(aliveEvery, () => this.heartbeat());
    client.write(`retry: ${retry.least + Math.floor(Math.random() * retry.random)}\n${this.hello()}`);
    await this.resume(client, lastEventId);
  }

  /** A change that this process's index shows. Repeated ones are ignored. */
  onChange(change: LiveChange): void {
    const { epoch, n } = this.ring.last;
    if (change.epoch === epoch && change.n <= n) return;
    const isNext = change.epoch === epoch && change.n === n + 1;
    if (!isNext) this.ring.restart(change.epoch, change.n - 1);
    const event = eventOf(change);
    this.ring.add(event);
    for (const client of this.clients) {
      if (!client.isLive) continue;
      if (isNext) client.send(event);
      else void this.resume(client, undefined);
    }
  }

  onModuleDestroy(): void {
    this.alive?.cancel();
    for (const client of this.clients) client.end();
  }

  private onClose(client: StreamClient): void {
    this.clients.delete(client);
    if (this.clients.size > 0) return;
    this.alive?.cancel();
    this.alive = undefined;
  }

  private hello(): string {
    const { groups, blockTargetTimeMs, coinSymbol } = this.settings;
    const { epoch } = this.ring.last;
    const serverTime = this.clock.now();
    return eventText('hello', JSON.stringify({ epoch, groups, blockTargetTimeMs, coinSymbol, serverTime }));
  }

  /** Sends what a client has missed, or a snapshot and what has happened since; then it is live. */
  private async resume(client: StreamClient, lastEventId: string | undefined): Promise<void> {
    client.isLive = false;
    try {
      let at = this.placeOf(lastEventId) ?? (await this.sendSnapshot(client));
      while (!client.isClosed) {
        const missed = this.ring.after(at.epoch, at.n);
        if (missed?.length === 0) {
          client.isLive = true;
          return;
        }
        if (missed) {
          await client.replay(missed);
          at = { epoch: at.epoch, n: at.n + missed.length };
        } else at = await this.sendSnapshot(client);
      }
    } catch {
      // The index cannot be read: the client connects again.
      client.end();
    }
  }

  /** The place of an id whose later events are still there. */
  private placeOf(id: string | undefined): { readonly epoch: string; readonly n: number } | undefined {
    const [, epoch, digits] = /^(.{1,64})-([0-9]{1,15})$/.exec(id ?? '') ?? [];
    if (epoch === undefined) return undefined;
    const place = { epoch, n: Number(digits) };
    return this.ring.after(place.epoch, place.n) ? place : undefined;
  }

  private async sendSnapshot(client: StreamClient): Promise<{ readonly epoch: string; readonly n: number }> {
    const { epoch, n, text } = this.sharedSnapshot();
    client.write(await text);
    return { epoch, n };
  }

  /** Clients that begin at the same time share one; of a gap or an epoch before none is used. */
  private sharedSnapshot(): SharedSnapshot {
    const now = this.clock.monotonic();
    const known = this.snapshot;
    if (known && now - known.since < snapshotFor && this.ring.after(known.epoch, known.n)) return known;
    const { epoch, n } = this.ring.last;
    const text = this.reads
      .of((snapshot) => readLiveSnapshot(snapshot, this.clock.now()))
      .then((data) => eventText('snapshot', JSON.stringify(data), idOf(epoch, n)));
    this.snapshot = { epoch, n, since: now, text };
    text.catch(() => (this.snapshot = undefined));
    return this.snapshot;
  }

  /** Shows clients and proxies that the stream is open; the id keeps those up to date that rarely get an event. */
  private heartbeat(): void {
    const text = eventText('alive', JSON.stringify({ serverTime: this.clock.now() }), this.lastEventId);
    for (const client of this.clients) {
      if (client.isLive) client.write(text);
      else client.noteStall();
    }
    this.alive = this.clock.after(aliveEvery, () => this.heartbeat());
  }
}
