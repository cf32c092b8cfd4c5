import { type Transaction } from '../store/forms.js';
import { reload, useAnswer } from '../store/loaded.js';
import { calmNetwork } from '../store/network.js';
import { texts } from '../texts.js';
import { BlockTable } from './block-table.js';
import { Card, Failure } from './card.js';
import { Link } from './links.js';
import { TransactionTable } from './transactions.js';
import { useSlowly } from './use-slowly.js';

const rows = 10;

export const LatestBlocks = () => {
  const { blocks } = calmNetwork.value;
  const shown = blocks.filter(({ height }) => height > 0).slice(0, rows);
  const { latest } = texts;
  return (
    <Card title={latest.blocks} aside={<Link to="block">{texts.blocks.all}</Link>} class="table">
      {shown.length === 0 ? (
        <p class="empty">{latest.noBlocks}</p>
      ) : (
        <BlockTable blocks={shown} caption={latest.blocks} />
      )}
    </Card>
  );
};

const path = 'transactions?limit=50';

/** Asked for again when a block has transactions of users. */
const useLatestTransactions = () => {
  const { blocks } = calmNetwork.value;
  const newest = blocks.find(({ txNumber, height }) => txNumber > 1 && height > 0)?.hash;
  return useAnswer<readonly Transaction[]>(path, useSlowly(newest));
};

export const LatestTransactions = () => {
  const { value = [], failure, isLoading } = useLatestTransactions();
  const shown = value.filter(({ coinbase, inputs }) => !coinbase && inputs.length > 0).slice(0, rows);
  const { latest } = texts;
  return (
    <Card title={latest.transactions} class="table">
      {failure !== undefined && <Failure failure={failure} retry={() => void reload(path)} />}
      {failure === undefined && shown.length === 0 && (
        <p class="empty">{isLoading ? texts.loading : latest.noTransactions}</p>
      )}
      {shown.length > 0 && <TransactionTable transactions={shown} caption={latest.transactions} />}
    </Card>
  );
};
