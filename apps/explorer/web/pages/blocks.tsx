import { blockRows } from '../store/block-rows.js';
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

/** What was made, anywhere? */
export const BlocksPage = () => {
  const { heads, stats, snapshots } = calmNetwork.value;
  const words = texts.blocks;
  const made = heads.reduce((sum, head) => sum + (head === undefined ? 0 : head.height + 1), 0);
  const version = `${snapshots} ${Math.floor(made / blocksOfVersion)}`;
  const list = useList<BlockLite>(path, version, (answer) => (answer as BlockList).blocks);
  const rows = blockRows(calmNetwork.value, list.rows, list.more === undefined && !list.isLoading);
  useTabTitle(words.title);
  return (
    <>
      <PageTitle title={words.title} intro={words.intro} />
      <AllChains />
      <Card
        title={words.list}
        aside={<span class="quiet number">{words.total(count(stats?.totalBlocks ?? made))}</span>}
        class="table"
      >
        {list.failure !== undefined && <Failure failure={list.failure} retry={list.retry} />}
        {rows.length === 0 ? (
          <p class="empty">{list.isLoading ? texts.loading : texts.latest.noBlocks}</p>
        ) : (
          <BlockTable blocks={rows} caption={words.list} />
        )}
        <More more={list.more}>{texts.chain.older}</More>
      </Card>
    </>
  );
};
