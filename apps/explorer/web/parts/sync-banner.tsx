import { type Sync } from '../store/forms.js';
import { useAnswer } from '../store/loaded.js';
import { link, network, now } from '../store/network.js';
import { lastHeard, progressOfAll, silentGroups, syncPath } from '../store/sync.js';
import { texts } from '../texts.js';
import { percentText, span } from './numbers.js';
import { SyncGrid } from './sync-grid.js';

const pollEveryMs = 10_000;

/** How far the index is: asked for again when the stream tells new figures, every 10 s. */
export const useSync = (): Sync | undefined => {
  const version = link.value.link === 'polling' ? Math.floor(now.value / pollEveryMs) : network.value.stats;
  return useAnswer<Sync>(syncPath, version).value;
};

/** Says when what the page shows is not whole: a first sync, a writer that has stopped, a group that is silent. */
export const SyncBanner = () => {
  const sync = useSync();
  const words = texts.sync;
  if (sync === undefined) return null;
  if (sync.phase === 'initial')
    return (
      <section class="banner sync" aria-label={words.title(percentText(progressOfAll(sync)))}>
        <p role="status">
          <b>{words.title(percentText(progressOfAll(sync)))}</b> {words.hint}
        </p>
        <SyncGrid chains={sync.chains} />
      </section>
    );
  const silent = silentGroups(sync);
  if (sync.phase !== 'stopped' && silent.length === 0) return null;
  const heard = span(Math.max(0, now.value - lastHeard(sync, silent)));
  return (
    <p class="banner" role="status">
      {sync.phase === 'stopped' ? words.stopped : words.silent(silent.join(', '), heard)}
    </p>
  );
};
