import { Controller } from '@nestjs/common';
import { Clock } from '@shardnode/core/lifecycle';
import { type ExplorerEvents, HandlesExplorerEvent } from '@shardnode/messages';
import { hasBlock } from '../reads/live-reads.js';
import { Reads } from '../database/reads.js';
import { HeldChanges } from './held-changes.js';
import { LiveStream } from './live-stream.js';

/** Changes of the index, as the writer reports them, for the clients of this process (protocol 08 §6). */
@Controller()
export class LiveHandlers {
  private readonly held: HeldChanges;

  constructor(stream: LiveStream, reads: Reads, clock: Clock) {
    this.held = new HeldChanges(
      (hash) => reads.of((snapshot) => hasBlock(snapshot, hash)),
      clock,
      (change) => stream.onChange(change),
    );
  }

  @HandlesExplorerEvent('explorer.live')
  change(change: ExplorerEvents['explorer.live']): void {
    this.held.add(change);
  }
}
