import { type Hash } from '@shardnode/protocol/primitives';

/** Transaction ids seen lately; the first one in leaves first. */
export class RecentIds {
  private readonly ids = new Set<Hash>();

  constructor(private readonly limit: number) {}

  add(id: Hash): void {
    this.ids.add(id);
    for (const oldest of this.ids) {
      if (this.ids.size <= this.limit) return;
      this.ids.delete(oldest);
    }
  }

  has(id: Hash): boolean {
    return this.ids.has(id);
  }
}
