import { useSignal } from '@preact/signals';
import { type ComponentChildren } from 'preact';
import { isZeroHash } from '../../store/chains.js';
import { type Block, type BlockLite, type Chain } from '../../store/forms.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';
import { ChainBadge, ends, groupClass, Link } from '../links.js';
import { pillHalves } from '../loom/geometry.js';
import { count, exactSpan, utc } from '../numbers.js';
import { chainOfDependency, useBlocks, useResting } from '../use-dependencies.js';
import { useWidth } from '../use-width.js';
import { type Fan, fanOf, hashFrom, oneLineFrom } from './geometry.js';

/** A row of a list: a block, or a chain of which none is known. */
interface FanRow {
  readonly chain: Chain;
  readonly hash?: string;
  readonly block?: BlockLite | undefined;
  /** In place of the time where there is no block; with it otherwise. */
  readonly note?: string | undefined;
  readonly kind: 'solid' | 'dotted' | 'replaced' | 'none';
}

/** When a block was made, as the time from the one in the middle. */
const timeFrom = (middle: BlockLite, { height, timestamp }: BlockLite): string => {
  if (height === 0) return texts.fan.genesis;
  const ms = timestamp - middle.timestamp;
  const sign = ms < 0 ? '−' : '+';
  return Math.abs(ms) < 50 ? `${sign} < 0.1 s` : `${sign} ${exactSpan(Math.abs(ms))}`;
};

const RowContent = ({ row, middle, hasHash }: { row: FanRow; middle: BlockLite; hasHash: boolean }) => (
  <>
    <ChainBadge {...row.chain} />
    {row.block && <span class="fan-height number">{count(row.block.height)}</span>}
    <span class="fan-time quiet">{row.block ? timeFrom(middle, row.block) : (row.note ?? '…')}</span>
    {hasHash && row.hash !== undefined && <span class="fan-hash id">{ends(row.hash)}</span>}
  </>
);

interface SideProps {
  readonly side: 'left' | 'right';
  readonly name: string;
  readonly rows: readonly FanRow[];
  readonly middle: BlockLite;
  readonly fan: Fan;
  readonly hasHash: boolean;
  readonly point: (at: number | undefined) => void;
}

const Side = ({ side, name, rows, middle, fan, hasHash, point }: SideProps) => (
  <ul
    class={`fan-side ${side}`}
    aria-label={name}
    style={{ width: `${fan.listWidth}px`, top: `${side === 'left' ? fan.leftTop : fan.rightTop}px` }}
  >
    {rows.map((row, i) => {
      const content = <RowContent row={row} middle={middle} hasHash={hasHash} />;
      const title = [row.hash, row.block && utc(row.block.timestamp), row.note].filter(Boolean).join('\n');
      return (
        <li
          key={`${row.chain.chainFrom}/${row.chain.chainTo}`}
          style={{ height: `${fan.rowHeight}px` }}
          onPointerEnter={() => point(i)}
          onPointerLeave={() => point(undefined)}
          onFocusIn={() => point(i)}
          onFocusOut={() => point(undefined)}
        >
          {row.hash === undefined ? (
            <span class="fan-row">{content}</span>
          ) : (
            <Link to={`block/${row.hash}`} class="fan-row" title={title}>
              {content}
            </Link>
          )}
        </li>
      );
    })}
  </ul>
);

const Curves = ({ paths, rows, pointed }: { paths: readonly string[]; rows: readonly FanRow[]; pointed?: number }) => (
  <>
    {paths.map(
      (d, i) =>
        rows[i]!.kind !== 'none' && (
          <path
            key={d}
            d={d}
            class={`${groupClass(rows[i]!.chain.chainFrom)} ${rows[i]!.kind} ${pointed === i ? 'pointed' : ''}`}
          />
        ),
    )}
  </>
);

interface PictureProps {
  readonly block: Block;
  readonly left: readonly FanRow[];
  readonly right: readonly FanRow[];
  readonly width: number;
}

const Picture = ({ block, left, right, width }: PictureProps) => {
  const pointed = useSignal<{ readonly side: 'left' | 'right'; readonly at: number } | undefined>(undefined);
  const fan = fanOf(width, left.length, right.length);
  const hasHash = width >= hashFrom;
  const [w, h] = width < oneLineFrom ? [24, 20] : [40, 28];
  const [from, to] = pillHalves(w, h);
  const of = (side: 'left' | 'right') => ({
    side,
    middle: block,
    fan,
    hasHash,
    point: (at: number | undefined) => void (pointed.value = at === undefined ? undefined : { side, at }),
  });
  const at = (side: 'left' | 'right') => (pointed.value?.side === side ? { pointed: pointed.value.at } : {});
  return (
    <div class={`fan-picture ${width < oneLineFrom ? 'narrow' : ''}`} style={{ height: `${fan.height}px` }}>
      <svg
        width={width}
        height={fan.height}
        role="img"
        aria-label={texts.fan.label(left.length, right.filter(({ hash }) => hash !== undefined).length)}
        class={pointed.value === undefined ? '' : 'pointing'}
      >
        <Curves paths={fan.left} rows={left} {...at('left')} />
        <Curves paths={fan.right} rows={right} {...at('right')} />
        <g class="pill chosen" transform={`translate(${fan.middle.x} ${fan.middle.y})`}>
          <rect class="ring" x={-w / 2 - 4} y={-h / 2 - 4} width={w + 8} height={h + 8} rx={(h + 8) * 0.38} />
          <path d={from} class={groupClass(block.chainFrom)} />
          <path d={to} class={groupClass(block.chainTo)} />
        </g>
      </svg>
      <Side {...of('left')} name={texts.fan.left} rows={left} />
      <Side {...of('right')} name={texts.fan.right} rows={right} />
    </div>
  );
};

const Heads = ({ left, right }: { readonly left: ComponentChildren; readonly right: ComponentChildren }) => (
  <div class="fan-heads quiet" aria-hidden="true">
    <span>{left}</span>
    <span>{right}</span>
  </div>
);

const useRight = (block: Block, replacement: BlockLite | undefined): readonly FanRow[] => {
  const resting = useResting(block);
  if (!block.mainChain)
    return replacement === undefined
      ? []
      : [{ chain: replacement, hash: replacement.hash, block: replacement, kind: 'replaced' }];
  return resting.map(({ chain, resting: found }): FanRow => {
    if (!found) return { chain, kind: 'none', note: found === null ? texts.fan.none : undefined };
    const { block: first, isDirect } = found;
    return {
      chain,
      hash: first.hash,
      block: first,
      kind: isDirect ? 'solid' : 'dotted',
      note: isDirect ? undefined : texts.fan.through,
    };
  });
};

interface FanCardProps {
  readonly block: Block;
  /** What stands at the place of an orphaned block. */
  readonly replacement: BlockLite | undefined;
}

/** The blocks that a block rests on at its left, and those that rest on it at its right. */
export const FanCard = ({ block, replacement }: FanCardProps) => {
  const { element, width } = useWidth();
  const deps = block.deps.filter((hash) => !isZeroHash(hash));
  const known = useBlocks(deps);
  const left = deps.map((hash, i): FanRow => ({
    chain: chainOfDependency(hash),
    hash,
    block: known[i],
    kind: 'solid',
  }));
  const right = useRight(block, replacement);
  const words = texts.fan;
  return (
    <Card title={deps.length === 0 ? words.ofGenesis : texts.inspector.restsOn(deps.length)} class="fan">
      <Heads
        left={deps.length === 0 ? texts.inspector.genesis : words.left}
        right={block.mainChain ? words.right : replacement ? words.replaced : words.noneOnOrphan}
      />
      <div ref={element}>{width > 0 && <Picture block={block} left={left} right={right} width={width} />}</div>
      <p class="quiet fan-note">{right.some(({ kind }) => kind === 'dotted') ? words.hintDotted : words.hint}</p>
    </Card>
  );
};
