import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { blockRows, heldRows } from '../store/block-rows.js';
import { type BlockLite } from '../store/forms.js';
import { useList } from '../store/list.js';
import { calmNetwork } from '../store/network.js';
import { AllChains } from '../parts/all-chains.js';
import { BlockTable } from '../parts/block-table.js';
import { Card, Failure } from '../parts/card.js';
import { count } from '../parts/numbers.js';
import { texts } from '../texts.js';
import { PageTitle, useTabTitle } from '../parts/page-title.js';
import { More } from '../parts/list-parts.js';

interface BlockList {
  readonly blocks: readonly BlockLite[];
}

const path = 'blocks?limit=50';
/** The list is read again after so many blocks: it joins what the stream told. */
const blocksOfVersion = 200;

/** Whether somebody reads in an element: points into it, has the focus there, or has scrolled into it. */
const useReading = () => {
  const element = useRef<HTMLDivElement>(null);
  const isPointed = useSignal(false);
  const isScrolled = useSignal(false);
  useEffect(() => {
    const onScroll = (): void => void (isScrolled.value = element.current!.getBoundingClientRect().top < 0);
    onScroll();
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  const set = (isIn: boolean) => () => void (isPointed.value = isIn);
  const listeners = {
    onPointerEnter: set(true),
    onPointerLeave: set(false),
    onFocusIn: set(true),
    onFocusOut: set(false),
  };
  return { element, listeners, isReading: isPointed.value || isScrolled.value };
};

/** What was made, anywhere? */
export const BlocksPage = () => {
  const { heads, stats, snapshots } = calmNetwork.value;
  const words = texts.blocks;
  const made = heads.reduce((sum, head) => sum + (head === undefined ? 0 : head.height + 1), 0);
  const version = `${snapshots} ${Math.floor(made / blocksOfVersion)}`;
  const list = useList<BlockLite>(path, version, (answer) => (answer as BlockList).blocks);
  const rows = blockRows(calmNetwork.value, list.rows, list.more === undefined && !list.isLoading);
  const { element, listeners, isReading } = useReading();
  const newest = useSignal<BlockLite | undefined>(undefined);
  useEffect(() => void (newest.value = isReading ? rows[0] : undefined), [isReading]);
  const { shown, waiting } = heldRows(rows, newest.value);
  const showNew = (): void => {
    newest.value = rows[0];
    scrollTo({ top: 0 });
  };
  useTabTitle(words.title);
  return (
    <>
      <PageTitle title={words.title} intro={words.intro} />
      <AllChains />
      <div ref={element} {...listeners}>
        <Card
          title={words.list}
          aside={
            waiting > 0 ? (
              <button type="button" class="button small" onClick={showNew}>
                {words.waiting(waiting)}
              </button>
            ) : (
              <span class="quiet number">{words.total(count(stats?.totalBlocks ?? made))}</span>
            )
          }
          class="table"
        >
          {list.failure !== undefined && <Failure failure={list.failure} retry={list.retry} />}
          {rows.length === 0 ? (
            <p class="empty">{list.isLoading ? texts.loading : texts.latest.noBlocks}</p>
          ) : (
            // As many as the list has, so that what is below stays where it is.
            <BlockTable blocks={shown.slice(0, list.rows.length || undefined)} caption={words.list} />
          )}
          <More more={list.more}>{texts.chain.older}</More>
        </Card>
      </div>
    </>
  );
};
