import { newestPayment } from '../store/block-rows.js';
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

const path = `transactions?payments=true&limit=${rows}`;

export const LatestTransactions = () => {
  const newest = useSlowly(newestPayment(calmNetwork.value.blocks));
  const { value = [], failure, isLoading } = useAnswer<readonly Transaction[]>(path, newest);
  const { latest } = texts;
  return (
    <Card title={latest.transactions} aside={<Link to="transactions">{latest.allTransactions}</Link>} class="table">
      {failure !== undefined && <Failure failure={failure} retry={() => void reload(path)} />}
      {failure === undefined && value.length === 0 && (
        <p class="empty">{isLoading ? texts.loading : latest.noTransactions}</p>
      )}
      {value.length > 0 && <TransactionTable transactions={value} caption={latest.transactions} />}
    </Card>
  );
};
