import { type ComponentChildren } from 'preact';
import { confirmationsOf, countsOverTime, type TakenIn } from '../store/confirmations.js';
import { type BlockLite, type Chain } from '../store/forms.js';
import { headOf, network, now } from '../store/network.js';
import { texts } from '../texts.js';
import { Card } from './card.js';
import { ChainBadge, GroupBadge, groupClass } from './links.js';
import { count, span } from './numbers.js';
import { Stairs } from './stairs/stairs.js';

interface MeterProps {
  readonly badge: ComponentChildren;
  readonly name: string;
  readonly count: number;
  readonly finality: number;
  readonly colour: string;
  /** The chain whose next block adds one. */
  readonly chain: Chain;
  readonly isWaiting: boolean;
}

/** Milliseconds until the next block of a chain, if it goes on as before; undefined while nobody knows. */
const untilNext = ({ chainFrom, chainTo }: Chain): number | undefined => {
  const { blocks, blockTargetMs, stats } = network.value;
  const own = blocks.filter((block) => block.chainFrom === chainFrom && block.chainTo === chainTo);
  const expected = stats?.averageBlockTimeMs || blockTargetMs;
  const head = own[0];
  if (head === undefined || expected === undefined) return undefined;
  const left = expected - (now.value - head.timestamp);
  return left > 0 ? left : undefined;
};

const Meter = ({ badge, name, count: reached, finality, colour, chain, isWaiting }: MeterProps) => {
  const next = untilNext(chain);
  return (
    <div class={`meter ${colour}`}>
      <p class="meter-name">
        {badge} {name}
      </p>
      <p class="meter-count">{count(reached)}</p>
      <svg viewBox="0 0 100 3" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="3" />
        <rect class="part" width={Math.min(100, (Math.sqrt(reached) / Math.sqrt(finality)) * 100)} height="3" />
      </svg>
      <p class="quiet">
        {isWaiting
          ? texts.transaction.noBlock
          : reached === 0
            ? texts.transaction.notYet
            : next === undefined
              ? texts.transaction.finalAt(finality)
              : texts.transaction.nextIn(span(Math.max(1_000, next)))}
      </p>
    </div>
  );
};

interface ConfirmationsProps {
  readonly transaction: Chain;
  /** Undefined while it waits. */
  readonly block: BlockLite | undefined;
  /** Undefined while it is not known. */
  readonly takenIn: TakenIn | undefined;
  readonly finality: number;
}

interface Count {
  readonly badge: ComponentChildren;
  readonly name: string;
  readonly count: number;
  readonly colour: string;
  readonly chain: Chain;
  /** The block that counts as the first. */
  readonly first: BlockLite | undefined;
}

const countsOf = ({ transaction, block, takenIn }: ConfirmationsProps): readonly Count[] => {
  const { chainFrom: from, chainTo: to } = transaction;
  const counts = block && takenIn && confirmationsOf(block, takenIn, headOf);
  const { inChain, inSender, inReceiver } = counts ?? { inChain: 0, inSender: 0, inReceiver: 0 };
  const inside = (group: number): Chain => ({ chainFrom: group, chainTo: group });
  const { chain, sender, receiver } = texts.transaction;
  const [badge, first] = [<ChainBadge {...transaction} />, counts && block];
  return [
    { badge, name: chain, count: inChain, colour: 'plain', chain: transaction, first },
    {
      badge: <GroupBadge group={from} />,
      name: sender,
      count: inSender,
      colour: groupClass(from),
      chain: inside(from),
      first: takenIn?.bySender,
    },
    {
      badge: <GroupBadge group={to} />,
      name: receiver,
      count: inReceiver,
      colour: groupClass(to),
      chain: inside(to),
      first: takenIn?.byReceiver,
    },
  ];
};

/** How the counts grew; inside a group they are one. */
const CountStairs = ({ counts, since }: { readonly counts: readonly Count[]; readonly since: number }) => {
  const { blocks, groups } = network.value;
  const [own] = counts;
  const isInside = own!.chain.chainFrom === own!.chain.chainTo;
  const series = (isInside ? [counts[1]!] : counts).flatMap(({ name, colour, first }) =>
    first === undefined ? [] : [{ name, colour, counts: countsOverTime(first, blocks, groups) }],
  );
  return series.length === 0 ? null : <Stairs series={series} since={since} />;
};

/** What has to happen until what was paid can be spent. */
const NextSteps = ({ chainFrom: from, chainTo: to }: Chain) => {
  const { mined, inside, carried, taken } = texts.transaction.next;
  const steps = [mined(`${from} → ${to}`), ...(from === to ? [inside(to)] : [carried(from), taken(to)])];
  return (
    <ol class="next-steps">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
};

/** Three counts: in the chain, in the sending group, in the receiving group. */
export const ConfirmationsCard = (props: ConfirmationsProps) => {
  const { transaction, block, finality } = props;
  const counts = countsOf(props);
  const smallest = Math.min(...counts.map(({ count: reached }) => reached));
  const words = texts.transaction;
  return (
    <Card title={words.confirmations} aside={<span class="quiet">{words.live}</span>} class="confirmations">
      <div class="meters">
        {counts.map(({ badge, name, count: reached, colour, chain }) => (
          <Meter
            key={name}
            badge={badge}
            name={name}
            count={reached}
            finality={finality}
            isWaiting={block === undefined}
            colour={colour}
            chain={chain}
          />
        ))}
      </div>
      {block !== undefined && smallest < finality && <CountStairs counts={counts} since={block.timestamp} />}
      {block === undefined && <NextSteps {...transaction} />}
      <p class="quiet">{block === undefined ? words.pendingHint : words.smallest(smallest, finality)}</p>
    </Card>
  );
};
