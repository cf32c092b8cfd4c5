/**
 * Entries that wait, of each client in rotation and of one client in order: a client with many entries delays those of
 * another by one. Clients without entries take no memory.
 */
export class ClientRotation<Entry> {
  /** In the order of their next entry. */
  private readonly clients = new Map<string, Entry[]>();
  private count = 0;

  /** Entries of all clients. */
  get size(): number {
    return this.count;
  }

  push(client: string, entry: Entry): void {
    const own = this.clients.get(client);
    if (own) own.push(entry);
    else this.clients.set(client, [entry]);
    this.count += 1;
  }

  /** Returns a taken entry: it is the first of its client, whose turn is next. */
  putBack(client: string, entry: Entry): void {
    const own = this.clients.get(client) ?? [];
    const others = [...this.clients].filter(([name]) => name !== client);
    own.unshift(entry);
    this.clients.clear();
    for (const [name, entries] of [[client, own] as const, ...others]) this.clients.set(name, entries);
    this.count += 1;
  }

  /** Takes the next entry. */
  take(): Entry | undefined {
    const [first] = this.clients;
    if (!first) return undefined;
    const [client, own] = first;
    const next = own.shift();
    this.count -= 1;
    this.clients.delete(client);
    if (own.length > 0) this.clients.set(client, own);
    return next;
  }

  /** Takes the newest entry of the client with the most; `over`: only if it would still have as many as this client. */
  takeNewest(over?: string): Entry | undefined {
    let most: [string, Entry[]] | undefined;
    for (const each of this.clients) if (!most || each[1].length > most[1].length) most = each;
    if (!most) return undefined;
    const [client, own] = most;
    if (over !== undefined && own.length - 1 <= (this.clients.get(over)?.length ?? 0)) return undefined;
    return this.takeAt(client, own, own.length - 1);
  }

  /** False: it does not wait. */
  remove(client: string, entry: Entry): boolean {
    const own = this.clients.get(client) ?? [];
    const index = own.indexOf(entry);
    if (index < 0) return false;
    this.takeAt(client, own, index);
    return true;
  }

  private takeAt(client: string, own: Entry[], index: number): Entry {
    const [entry] = own.splice(index, 1);
    this.count -= 1;
    if (own.length === 0) this.clients.delete(client);
    return entry!;
  }
}
