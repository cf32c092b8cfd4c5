import '../styles/about.css';
import { type ExplorerInfo, type Sync, type Transaction } from '../store/forms.js';
import { useAnswer } from '../store/loaded.js';
import { coinSymbol, groups, network } from '../store/network.js';
import { pageState } from '../store/page-state.js';
import { type Supply } from '../store/statistics.js';
import { progressOfAll } from '../store/sync.js';
import { Card, Row } from '../parts/card.js';
import { KeyList } from '../parts/key-list.js';
import { count, percentText, span } from '../parts/numbers.js';
import { Settings } from '../parts/settings.js';
import { useSync } from '../parts/sync-banner.js';
import { SyncGrid } from '../parts/sync-grid.js';
import { Age, Amount } from '../parts/values.js';
import { texts } from '../texts.js';
import { PageTitle, useTabTitle } from '../parts/page-title.js';

const words = texts.about;

const NetworkCard = () => {
  const { value: transactions } = useAnswer<readonly Transaction[]>('transactions?limit=1');
  const { value: days } = useAnswer<readonly Supply[]>('infos/supply/now');
  const { blockTargetMs } = network.value;
  const networkId = transactions?.[0]?.networkId;
  const maximum = days?.[0]?.maximum;
  return (
    <Card title={words.network}>
      <dl>
        {networkId !== undefined && <Row name={words.networkId}>{networkId}</Row>}
        <Row name={words.groups}>{groups.value}</Row>
        <Row name={words.chains}>{groups.value ** 2}</Row>
        {blockTargetMs !== undefined && (
          <Row name={words.blockTarget}>
            {blockTargetMs < 1_000 ? words.onDemand(blockTargetMs) : span(blockTargetMs)}
          </Row>
        )}
        <Row name={words.restsOn}>{words.blocks(2 * groups.value - 1)}</Row>
        <Row name={words.finality}>{words.confirmations(count(pageState.finalityDepth))}</Row>
        <Row name={words.coin}>
          {coinSymbol.value}
          {maximum !== undefined && (
            <span class="quiet">
              , {words.atMost} <Amount amount={BigInt(maximum)} />
            </span>
          )}
        </Row>
      </dl>
    </Card>
  );
};

/** As the API says it of a build without one. */
const unknownCommit = 'unknown';

const SoftwareCard = () => {
  const { value: info } = useAnswer<ExplorerInfo>('infos');
  return (
    <Card title={words.software}>
      <dl>
        <Row name={words.version}>{info?.releaseVersion ?? '…'}</Row>
        {info !== undefined && info.commit !== unknownCommit && (
          <Row name={words.commit}>
            <span class="id">{info.commit.slice(0, 12)}</span>
          </Row>
        )}
        <Row name={words.api}>
          <a href="docs/">{texts.frame.documentation}</a>
        </Row>
        <Row name={words.description}>
          <a href="docs/openapi.json">OpenAPI</a>
        </Row>
      </dl>
    </Card>
  );
};

const IndexRows = ({ sync }: { readonly sync: Sync }) => {
  const { phase, chains, finalizedTimestamp, unresolvedInputs, conflictInputs, verify } = sync;
  const newest = Math.max(...chains.map(({ timestamp }) => timestamp));
  return (
    <dl>
      <Row name={words.index}>
        {words.phases[phase] ?? phase} · {percentText(progressOfAll(sync))}
      </Row>
      {newest > 0 && (
        <Row name={words.lag}>
          <Age timestamp={newest} suffix=" ago" />
        </Row>
      )}
      {finalizedTimestamp > 0 && (
        <Row name={words.finalUpTo}>
          <Age timestamp={finalizedTimestamp} suffix=" ago" />
        </Row>
      )}
      <Row name={words.unresolved}>{count(unresolvedInputs)}</Row>
      <Row name={words.conflicts}>{count(conflictInputs)}</Row>
      <Row name={words.verify}>{verify === null ? words.neverVerified : (words.verified[verify] ?? verify)}</Row>
    </dl>
  );
};

const IndexCard = () => {
  const sync = useSync();
  return (
    <Card title={words.index} class="index-card">
      {sync === undefined ? (
        <p class="quiet">{texts.loading}</p>
      ) : (
        <>
          <IndexRows sync={sync} />
          <SyncGrid chains={sync.chains} />
        </>
      )}
    </Card>
  );
};

/** What is this, how far is it, and how is it used? */
export const AboutPage = () => {
  useTabTitle(words.title);
  return (
    <>
      <PageTitle title={words.title} intro={words.intro} />
      <div class="about">
        <NetworkCard />
        <SoftwareCard />
        <Card title={texts.keys.title}>
          <KeyList />
        </Card>
        <div class="about-stack">
          <IndexCard />
          <Card title={words.settings}>
            <Settings />
          </Card>
        </div>
      </div>
    </>
  );
};
