import '../styles/rich-list.css';
import { useAnswer } from '../store/loaded.js';
import { calmNetwork, coinSymbol, polledNews } from '../store/network.js';
import { type Supply } from '../store/statistics.js';
import { Fact, Facts } from '../parts/card.js';
import { Holders } from '../parts/holders.js';
import { utc } from '../parts/numbers.js';
import { Amount } from '../parts/values.js';
import { texts } from '../texts.js';
import { PageTitle, useTabTitle } from '../parts/page-title.js';

const words = texts.richList;
const limit = 50;
const supplyPath = 'infos/supply/now';

const SupplyFacts = ({ supply: { timestamp, total, circulating, locked } }: { readonly supply: Supply }) => (
  <Facts>
    <Fact name={words.supply} hint={words.counted(utc(timestamp))}>
      <Amount amount={BigInt(total)} />
    </Fact>
    <Fact name={words.circulating}>
      <Amount amount={BigInt(circulating)} />
    </Fact>
    <Fact name={words.locked}>
      <Amount amount={BigInt(locked)} />
    </Fact>
  </Facts>
);

/** Who holds how much of the coin? */
export const RichListPage = () => {
  const version = `${calmNetwork.value.stats?.totalTransactions} ${polledNews.value}`;
  const { value: days } = useAnswer<readonly Supply[]>(supplyPath, version);
  useTabTitle(words.title);
  const [newest] = days ?? [];
  return (
    <>
      <PageTitle title={words.title} intro={words.intro(coinSymbol.value)} />
      {newest !== undefined && <SupplyFacts supply={newest} />}
      <Holders path="tokens/holders/coin" supply={newest && BigInt(newest.total)} limit={limit} version={version} />
      <p class="quiet after-card">{newest === undefined ? words.noShares : words.countedOnceADay}</p>
    </>
  );
};
