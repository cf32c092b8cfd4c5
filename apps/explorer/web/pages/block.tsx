import { useSignal } from '@preact/signals';
import { type Block, type Transaction } from '../store/forms.js';
import { reload, useAnswer } from '../store/loaded.js';
import { headOf, network } from '../store/network.js';
import { isFinal, pageState } from '../store/page-state.js';
import { Card, Fact, Facts, Failure, Row, StatePill } from '../parts/card.js';
import { FanCard } from '../parts/fan/fan.js';
import { ConfirmedLine } from '../parts/inspector.js';
import { BlockLink, ChainBadge, chainPath, Link } from '../parts/links.js';
import { brief, count, utc } from '../parts/numbers.js';
import { TransactionTable } from '../parts/transactions.js';
import { Age, Copy } from '../parts/values.js';
import { texts } from '../texts.js';
import { MissingPage } from './missing.js';
import { useTabTitle } from '../parts/page-title.js';
import { More } from '../parts/list-parts.js';

/** How far the head of its chain is above a block; undefined while the page does not know the head. */
const depthOf = (block: Block): number | undefined => {
  const head = headOf(block);
  return head && head.height - block.height;
};

const State = ({ block }: { readonly block: Block }) => {
  if (!block.mainChain) return <StatePill kind="bad">{texts.block.orphaned}</StatePill>;
  return <StatePill kind="good">{isFinal(depthOf(block)) ? texts.block.final : texts.block.main}</StatePill>;
};

/** The block at the place of one that left its chain. */
const useReplacement = ({ chainFrom, chainTo, height, mainChain }: Block): Block | undefined => {
  const path = `chains/${chainFrom}/${chainTo}/blocks/${height}`;
  const { value = [] } = useAnswer<readonly Block[]>(mainChain ? undefined : path);
  return value.find((block) => block.mainChain);
};

const Replaced = ({ replacement }: { readonly replacement: Block | undefined }) => (
  <p class="banner" role="status">
    {replacement === undefined ? (
      texts.block.leftChain
    ) : (
      <>
        {texts.block.replaced} <BlockLink id={replacement.hash} first={8} last={8} />
      </>
    )}
  </p>
);

/** Previous and next of its chain. */
const Neighbours = ({ block }: { readonly block: Block }) => {
  const hasNext = block.mainChain && (depthOf(block) ?? 0) > 0;
  const path = `chains/${block.chainFrom}/${block.chainTo}/blocks/${block.height + 1}`;
  const { value = [] } = useAnswer<readonly Block[]>(path, hasNext);
  const next = value.find(({ mainChain }) => mainChain);
  return (
    <span class="neighbours">
      {block.parent !== null && (
        <Link to={`block/${block.parent}`} title={texts.block.previous}>
          ← {count(block.height - 1)}
        </Link>
      )}
      {next !== undefined && (
        <Link to={`block/${next.hash}`} title={texts.block.next}>
          {count(next.height)} →
        </Link>
      )}
    </span>
  );
};

const limit = 20;

const BlockTransactions = ({ block }: { readonly block: Block }) => {
  const pages = useSignal(1);
  return (
    <Card
      title={texts.block.transactions}
      aside={<span class="quiet number">{count(block.txNumber)}</span>}
      class="table"
    >
      {Array.from({ length: pages.value }, (_, i) => (
        <TransactionPart key={i} path={`blocks/${block.hash}/transactions?limit=${limit}&page=${i + 1}`} />
      ))}
      <More more={pages.value * limit < block.txNumber ? () => void (pages.value += 1) : undefined}>
        {texts.block.loadMore}
      </More>
    </Card>
  );
};

const TransactionPart = ({ path }: { readonly path: string }) => {
  const { value, failure } = useAnswer<readonly Transaction[]>(path);
  if (failure !== undefined) return <Failure failure={failure} retry={() => void reload(path)} />;
  if (value === undefined) return <p class="empty">{texts.loading}</p>;
  if (value.length === 0) return <p class="empty">{texts.block.noTransactions}</p>;
  return <TransactionTable transactions={value} caption={texts.block.transactions} hasChain={false} />;
};

const HeaderFields = ({ block }: { readonly block: Block }) => {
  const { fields } = texts.block;
  return (
    <details class="card folded">
      <summary>{texts.block.header}</summary>
      <dl>
        <Row name={fields.hash}>{block.hash}</Row>
        <Row name={fields.parent}>{block.parent ?? '—'}</Row>
        <Row name={fields.target}>{block.target}</Row>
        <Row name={fields.nonce}>{block.nonce}</Row>
        <Row name={fields.version}>{block.version}</Row>
        <Row name={fields.depStateHash}>{block.depStateHash}</Row>
        <Row name={fields.txsHash}>{block.txsHash}</Row>
      </dl>
    </details>
  );
};

const BlockFacts = ({ block }: { readonly block: Block }) => {
  const { digits, size } = brief(Number(block.hashRate));
  return (
    <Facts>
      <Fact name={texts.block.time} hint={utc(block.timestamp)}>
        <Age timestamp={block.timestamp} suffix=" ago" />
      </Fact>
      <Fact name={texts.block.transactions}>{count(block.txNumber)}</Fact>
      {block.mainChain && (
        <Fact name={texts.block.confirmed} hint={texts.block.finalAt(pageState.finalityDepth)}>
          <ConfirmedLine block={block} />
        </Fact>
      )}
      <Fact name={texts.block.hashRate}>
        {digits} {size}H/s
      </Fact>
    </Facts>
  );
};

const Shown = ({ block }: { readonly block: Block }) => {
  const replacement = useReplacement(block);
  return (
    <>
      <nav class="breadcrumb" aria-label={texts.breadcrumb}>
        <Link to="">{texts.frame.network}</Link> ›{' '}
        <Link to={chainPath(block)}>
          {block.chainFrom} → {block.chainTo}
        </Link>
      </nav>
      <div class="subject">
        <h1>{texts.block.title(count(block.height))}</h1>
        <State block={block} />
        <ChainBadge {...block} />
        <Neighbours block={block} />
      </div>
      <p class="full-id">
        {block.hash} <Copy text={block.hash} />
      </p>
      {!block.mainChain && <Replaced replacement={replacement} />}
      <BlockFacts block={block} />
      <FanCard block={block} replacement={replacement} />
      <BlockTransactions block={block} />
      <HeaderFields block={block} />
    </>
  );
};

/** What is in it, is it safe? */
export const BlockPage = ({ hash }: { readonly hash: string }) => {
  const path = `blocks/${hash}`;
  const hasLeft = network.value.orphans.some(({ block }) => block.hash === hash);
  const { value: block, failure } = useAnswer<Block>(path, hasLeft);
  useTabTitle(block && texts.block.title(count(block.height)));
  if (failure?.status === 404)
    return <MissingPage text={hash} tried={texts.missing.triedBlock} look={() => void reload(path)} />;
  if (block === undefined)
    return failure ? (
      <Failure failure={failure} retry={() => void reload(path)} />
    ) : (
      <p class="empty">{texts.loading}</p>
    );
  return <Shown key={block.hash} block={block} />;
};
