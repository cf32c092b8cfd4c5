import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { parameter, setParameter } from '../router.js';
import { blockRows, hasPayments, heldRows } from '../store/block-rows.js';
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
import { Switch } from '../parts/switch.js';
import { useReading } from '../parts/use-reading.js';

interface BlockList {
  readonly blocks: readonly BlockLite[];
}

const path = 'blocks?limit=50';
/** Of the address of the page and of the API: whether blocks without payments are left out. */
const paymentsOnly = 'payments';
/** The list is read again after so many blocks: it joins what the stream told. */
const blocksOfVersion = 200;

const NewBlocks = ({ blocks, show }: { readonly blocks: number; readonly show: () => void }) => (
  <button type="button" class="button small" onClick={show}>
    {texts.blocks.waiting(blocks)}
  </button>
);

const Total = ({ blocks }: { readonly blocks: number }) => (
  <span class="quiet number">{texts.blocks.total(count(blocks))}</span>
);

/** What was made, anywhere? */
export const BlocksPage = () => {
  const { heads, stats, snapshots } = calmNetwork.value;
  const words = texts.blocks;
  const made = heads.reduce((sum, head) => sum + (head === undefined ? 0 : head.height + 1), 0);
  const total = stats?.totalBlocks ?? made;
  const version = `${snapshots} ${Math.floor(made / blocksOfVersion)}`;
  const isFiltered = parameter(paymentsOnly) === 'true';
  const listPath = isFiltered ? `${path}&${paymentsOnly}=true` : path;
  const list = useList<BlockLite>(listPath, version, (answer) => (answer as BlockList).blocks);
  const all = blockRows(calmNetwork.value, list.rows, list.more === undefined && !list.isLoading);
  const rows = isFiltered ? all.filter(hasPayments) : all;
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
      <PageTitle title={words.title} intro={words.intro}>
        <Switch
          name={words.hideEmpty}
          isOn={isFiltered}
          onSwitch={() => setParameter(paymentsOnly, isFiltered ? undefined : 'true')}
        />
      </PageTitle>
      <AllChains />
      <div ref={element} {...listeners}>
        <Card
          title={words.list}
          aside={waiting > 0 ? <NewBlocks blocks={waiting} show={showNew} /> : !isFiltered && <Total blocks={total} />}
          class="table"
        >
          {list.failure !== undefined && <Failure failure={list.failure} retry={list.retry} />}
          {rows.length === 0 ? (
            <p class="empty">
              {list.isLoading ? texts.loading : isFiltered ? words.noPayments : texts.latest.noBlocks}
            </p>
          ) : (
            // As many as the list has while it goes on, so that what is below stays where it is.
            <BlockTable
              blocks={list.more === undefined ? shown : shown.slice(0, list.rows.length)}
              caption={words.list}
              hasSummaries
            />
          )}
          <More more={list.more}>{texts.chain.older}</More>
        </Card>
      </div>
    </>
  );
};
