import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { go } from '../router.js';
import { useChainBlocks } from '../store/chain-blocks.js';
import { type ChainRow } from '../store/chain-rows.js';
import { indexOfChain } from '../store/chains.js';
import { type Block, type Chain } from '../store/forms.js';
import { useAnswer } from '../store/loaded.js';
import { headOf, network, now } from '../store/network.js';
import { stalledChains } from '../store/network-state.js';
import { read } from '../stream/api.js';
import { AllChains } from '../parts/all-chains.js';
import { Moved } from '../parts/block-summary.js';
import { Card, Fact, Facts, Failure, StatePill } from '../parts/card.js';
import { ChainLanesCard } from '../parts/chain-lanes.js';
import { BlockLink, ChainBadge, ends, Link } from '../parts/links.js';
import { brief, count, span } from '../parts/numbers.js';
import { useSlowly } from '../parts/use-slowly.js';
import { Age } from '../parts/values.js';
import { texts } from '../texts.js';
import { MissingPage } from './missing.js';
import { useTabTitle } from '../parts/page-title.js';
import { More } from '../parts/list-parts.js';

interface ChainDuration extends Chain {
  /** Milliseconds. */
  readonly duration: number;
}

const State = ({ chain }: { readonly chain: Chain }) => {
  const head = headOf(chain);
  if (head === undefined) return null;
  if (head.height === 0) return <StatePill kind="plain">{texts.chain.empty}</StatePill>;
  const isStalled = stalledChains(network.value, now.value).has(indexOfChain(chain, network.value.groups));
  return isStalled ? (
    <StatePill kind="warning">{texts.loom.stalled(span(now.value - head.timestamp))}</StatePill>
  ) : null;
};

const ChainFacts = ({ chain }: { readonly chain: Chain }) => {
  const { pending, orphans, groups } = network.value;
  const words = texts.chain;
  const head = headOf(chain);
  const isOwn = (of: Chain): boolean => indexOfChain(of, groups) === indexOfChain(chain, groups);
  const { value: times = [] } = useAnswer<readonly ChainDuration[]>('infos/average-block-times', useSlowly(head?.hash));
  const duration = times.find(isOwn)?.duration ?? 0;
  const left = orphans.find(({ block }) => isOwn(block));
  const { digits, size } = brief(Number(head?.hashRate ?? 0));
  return (
    <Facts>
      <Fact name={words.height} hint={head && ends(head.hash, 0, 8)}>
        {head === undefined ? '…' : <Link to={`block/${head.hash}`}>{count(head.height)}</Link>}
      </Fact>
      {head !== undefined && head.height > 0 && (
        <Fact name={words.newest} hint={words.newestHint(head.txNumber)}>
          <Age timestamp={head.timestamp} suffix=" ago" />
        </Fact>
      )}
      <Fact name={texts.figures.blockTime} hint={words.blockTimeHint}>
        {duration > 0 ? words.seconds((duration / 1_000).toFixed(1)) : '—'}
      </Fact>
      <Fact name={texts.figures.waiting}>{count([...pending.values()].filter(isOwn).length)}</Fact>
      {head !== undefined && head.height > 0 && (
        <Fact name={texts.block.hashRate}>
          {digits} {size}H/s
        </Fact>
      )}
      <Fact name={words.reorganised} hint={words.reorganisedHint}>
        {left === undefined ? words.none : <Age timestamp={left.at} suffix=" ago" />}
      </Fact>
    </Facts>
  );
};

/** Leads to the block of a height. */
const JumpToHeight = ({ chain }: { readonly chain: Chain }) => {
  const field = useRef<HTMLInputElement>(null);
  const answer = useSignal('');
  const words = texts.chain;
  const jump = async (height: string): Promise<void> => {
    try {
      const [block] = await read<readonly Block[]>(`chains/${chain.chainFrom}/${chain.chainTo}/blocks/${height}`);
      if (block !== undefined) return go(`block/${block.hash}`);
      answer.value = words.noHeight(height);
    } catch (error) {
      answer.value = error instanceof Error ? error.message : String(error);
    }
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    const height = field.current!.value.replaceAll(/[, ]/g, '');
    if (/^\d{1,9}$/.test(height)) void jump(String(Number(height)));
    else answer.value = words.noNumber;
  };
  return (
    <form class="jump" onSubmit={onSubmit}>
      <span class="quiet" role="status">
        {answer.value}
      </span>
      <input
        ref={field}
        inputMode="numeric"
        autocomplete="off"
        aria-label={words.jump}
        placeholder={words.jump}
        onInput={() => void (answer.value = '')}
      />
      <button type="submit" class="button small">
        {words.go}
      </button>
    </form>
  );
};

const Height = ({ row: { height, block, beside } }: { readonly row: ChainRow }) => (
  <tr class={block && network.value.arrived.has(block.hash) ? 'fresh' : ''}>
    <td>
      {block === undefined ? (
        <span class="number quiet">{count(height)}</span>
      ) : (
        <Link to={`block/${block.hash}`} class="number">
          {count(height)}
        </Link>
      )}
      {beside.map(({ hash }) => (
        <Link key={hash} to={`block/${hash}`} class="tag left" title={hash}>
          {texts.loom.orphan}
        </Link>
      ))}
    </td>
    <td>{block && <BlockLink id={block.hash} first={0} last={6} />}</td>
    <td class="number">{block && count(block.txNumber)}</td>
    <td class="number">{block && <Moved block={block} />}</td>
    <td class="number quiet">{block && <Age timestamp={block.timestamp} />}</td>
  </tr>
);

const Blocks = ({ chain }: { readonly chain: Chain }) => {
  const { rows, failure, retry, more } = useChainBlocks(chain);
  const { latest, chain: words } = texts;
  return (
    <Card title={words.blocks} aside={<JumpToHeight chain={chain} />} class="table">
      {failure !== undefined && <Failure failure={failure} retry={retry} />}
      {rows.length === 0 ? (
        <p class="empty">{texts.loading}</p>
      ) : (
        <table>
          <caption class="unseen">{words.blocks}</caption>
          <thead>
            <tr>
              <th>{latest.height}</th>
              <th>{latest.hashEnds}</th>
              <th class="number">{latest.count}</th>
              <th class="number">{latest.moved}</th>
              <th class="number">{latest.age}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <Height key={place} row={row} />
            ))}
          </tbody>
        </table>
      )}
      <More more={more}>{words.older}</More>
    </Card>
  );
};

/** What is this chain doing? @param name of its groups: `0/2` */
export const ChainPage = ({ name }: { readonly name: string }) => {
  const [chainFrom, chainTo] = name.split('/').map(Number) as [number, number];
  const chain = { chainFrom, chainTo };
  const title = texts.chain.title(chainFrom, chainTo);
  useTabTitle(title);
  const { groups } = network.value;
  if (chainFrom >= groups || chainTo >= groups) return <MissingPage text={name} tried={texts.chain.noSuch(groups)} />;
  return (
    <>
      <nav class="breadcrumb" aria-label={texts.breadcrumb}>
        <Link to="">{texts.frame.network}</Link> › {chainFrom} → {chainTo}
      </nav>
      <div class="subject">
        <h1>{title}</h1>
        <State chain={chain} />
        <ChainBadge {...chain} />
      </div>
      <AllChains current={chain} />
      <ChainFacts chain={chain} />
      <ChainLanesCard chain={chain} />
      <Blocks chain={chain} />
    </>
  );
};
