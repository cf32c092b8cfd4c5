import { type CacheFailure, type CacheObserver, type CacheReadOutcome } from './cache.js';

/** Notifies several observers. */
export class CacheObservers implements CacheObserver {
  private readonly observers = new Set<CacheObserver>();
  constructor(private isReachable: boolean) {}

  /** Gives what ends it. */
  add(observer: CacheObserver): () => void {
    this.observers.add(observer);
    observer.reachable(this.isReachable);
    return () => void this.observers.delete(observer);
  }

  read(outcome: CacheReadOutcome): void {
    for (const observer of this.observers) observer.read(outcome);
  }

  failed(reason: CacheFailure): void {
    for (const observer of this.observers) observer.failed(reason);
  }

  reachable(isReachable: boolean): void {
    this.isReachable = isReachable;
    for (const observer of this.observers) observer.reachable(isReachable);
  }
}
