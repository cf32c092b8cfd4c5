import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { compileOnce } from './compile-once.js';
import { type Plan } from './plan.js';
import { readSources, type ReadSources } from './read-sources.js';
import { shownPath } from './report.js';

/** An editor writes a file in several steps. */
const debounceMs = 100;
/** For a folder of sources that is absent for a moment, as during a checkout. */
const retryMs = 1_000;

type Texts = ReadonlyMap<string, string>;

const textsOf = ({ sources }: ReadSources): Texts => new Map(sources.map(({ path, text }) => [path, text]));

/** `changed: a.ral`, `added: b.ral`, `removed: c.ral`. */
const changes = (before: Texts, after: Texts, from: string): string[] => {
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  return paths.map((path) => {
    const verb = !before.has(path) ? 'added' : !after.has(path) ? 'removed' : 'changed';
    return `${verb}: ${shownPath(path, from)}`;
  });
};

/** Compiles again when a source changes. Nothing ends it but a signal. */
class SourceWatch {
  private watchers: FSWatcher[] = [];
  private timer: NodeJS.Timeout | undefined;
  private texts: Texts = new Map();
  private failure: string | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly from: string,
  ) {}

  start(): void {
    this.run(true);
    process.stderr.write('watching for changes, Ctrl-C ends\n');
  }

  private run(isFirst: boolean): void {
    try {
      const read = this.readWatched();
      const texts = textsOf(read);
      const changed = changes(this.texts, texts, this.from);
      const recovered = this.failure !== undefined;
      this.failure = undefined;
      this.texts = texts;
      if (changed.length === 0 && !recovered) return;
      if (!isFirst) process.stderr.write(`\n${changed.join('\n')}\n`);
      compileOnce(this.plan, read, this.from);
    } catch (error) {
      const { message } = error as Error;
      if (this.failure !== message) process.stderr.write(`${message}\n`);
      this.failure = message;
      this.schedule(retryMs);
    }
  }

  /** Reads what is watched already: a change after it is reported. */
  private readWatched(): ReadSources {
    for (let folders = readSources(this.plan).folders; ;) {
      this.watchFolders([...folders, dirname(this.plan.sourceFolder)]);
      const read = readSources(this.plan);
      if (read.folders.join('\0') === folders.join('\0')) return read;
      folders = read.folders;
    }
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(false), delayMs);
  }

  /** Replaces all watchers, because folders come and go. */
  private watchFolders(folders: readonly string[]): void {
    for (const watcher of this.watchers) watcher.close();
    this.watchers = [];
    for (const folder of new Set(folders)) {
      const watcher = watch(folder, () => this.schedule(debounceMs));
      watcher.on('error', () => this.schedule(retryMs));
      this.watchers.push(watcher);
    }
  }
}

/** Compiles, and again after each change, until a signal ends the process. */
export const watchSources = (plan: Plan, from: string): void => new SourceWatch(plan, from).start();
