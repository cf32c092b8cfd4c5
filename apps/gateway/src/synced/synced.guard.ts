import { type CanActivate, Injectable } from '@nestjs/common';
import { SyncMonitor } from './sync-monitor.js';

/**
 * Refuses with 503 while any group-node is catching up (protocol 07 §1.13): for operations that need all groups. A
 * request to one group does not depend on the others; its group-node refuses by itself.
 */
@Injectable()
export class SyncedGuard implements CanActivate {
  constructor(private readonly sync: SyncMonitor) {}

  async canActivate(): Promise<boolean> {
    if (!this.sync.isKnownSynced()) await this.sync.check();
    return true;
  }
}
