import { useEffect, useMemo } from 'preact/hooks';
import { go } from '../../router.js';
import { chainOfIndex, indexOfChain } from '../../store/chains.js';
import { isMiningOff, miningPath } from '../../store/development.js';
import { useAnswer } from '../../store/loaded.js';
import { calmNetwork, groups, network, now } from '../../store/network.js';
import { stalledChains } from '../../store/network-state.js';
import { knownHeaders } from '../../stream/headers.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';
import { Choices } from '../choices.js';
import { useKeys } from '../keys.js';
import { BlockLink, ChainBadge, chainPath, Link } from '../links.js';
import { count, span } from '../numbers.js';
import { MiningOff } from '../mining-off.js';
import { useWidth } from '../use-width.js';
import { Age } from '../values.js';
import { type Direction, neighbour, parentOf } from './choice.js';
import { loomOf, narrowBelow } from './geometry.js';
import { Picture, spaceForTimes } from './picture.js';
import {
  choose,
  chooseReorganisation,
  chooseSpan,
  chosen,
  missedBlocks,
  narrowScreen,
  pausedAt,
  readHeadersOfChoice,
  shownBlocks,
  spans,
  switchPause,
  view,
  windowMs,
} from './state.js';

/** The same as the picture, as text. */
const LoomTable = () => {
  const { heads, pending, groups: number } = network.value;
  const waiting = heads.map(() => 0);
  for (const entry of pending.values()) waiting[indexOfChain(entry, number)]! += 1;
  return (
    <div class="scroll">
      <table>
        <caption class="unseen">{texts.loom.caption}</caption>
        <thead>
          <tr>
            {texts.loom.columns.map((name, i) => (
              <th key={name} class={i === 1 || i > 2 ? 'number' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {heads.map((head, index) => (
            <tr key={index}>
              <td>
                <Link to={chainPath(chainOfIndex(index, number))}>
                  <ChainBadge {...chainOfIndex(index, number)} />
                </Link>
              </td>
              <td class="number">{head && count(head.height)}</td>
              <td>{head && <BlockLink id={head.hash} first={8} last={8} />}</td>
              <td class="number">{head && head.height > 0 && <Age timestamp={head.timestamp} />}</td>
              <td class="number">{head && count(head.txNumber)}</td>
              <td class="number">{waiting[index]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const Controls = () => (
  <>
    {view.value === 'lanes' && (
      <Choices
        label={texts.loom.window}
        values={spans.value.map((ms) => [ms, span(ms)] as const)}
        chosen={windowMs.value}
        onChoose={chooseSpan}
      />
    )}
    <Choices
      label={texts.loom.view}
      values={[
        ['lanes', texts.loom.lanes],
        ['table', texts.loom.table],
      ]}
      chosen={view.value}
      onChoose={(chosenView) => void (view.value = chosenView)}
    />
    <button type="button" class="button" aria-pressed={pausedAt.value !== undefined} onClick={switchPause}>
      {pausedAt.value === undefined ? texts.loom.pause : texts.loom.resume(missedBlocks.value)}
    </button>
  </>
);

const directions: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const onKeyDown = (event: KeyboardEvent): void => {
  const block = chosen.value;
  const direction = directions[event.key];
  if (block === undefined) return;
  if (event.key === 'Enter') return go(`block/${block.hash}`);
  if (direction === undefined) return;
  event.preventDefault();
  const next = neighbour(shownBlocks.value, block, direction, groups.value);
  if (next !== undefined) choose(next.hash);
};

const chooseParent = (): void => {
  const header = chosen.value && knownHeaders.get(chosen.value.hash);
  const parent = header && parentOf(header, groups.value);
  if (parent !== undefined && network.value.blocks.some(({ hash }) => hash === parent)) choose(parent);
};

/** Chains that a line names. */
const mostNamed = 4;

/** Names the chains that stand still. */
const Stalled = () => {
  const state = calmNetwork.value;
  const stalled = [...stalledChains(state, now.value)];
  const chains = stalled.slice(0, mostNamed).map((index) => {
    const { chainFrom, chainTo } = chainOfIndex(index, state.groups);
    return `${chainFrom} → ${chainTo}`;
  });
  return (
    <p class={stalled.length > 0 ? 'stalled-line' : 'unseen'} role="status">
      {stalled.length > 0 && texts.loom.stand(chains, stalled.length - chains.length)}
    </p>
  );
};

/** Above the lanes. */
const spaceForHeads = 22;

/** The chains as one living picture. */
export const LoomCard = () => {
  const { element, width } = useWidth();
  const loom = useMemo(() => loomOf(width, groups.value), [width, groups.value]);
  useEffect(readHeadersOfChoice, []);
  useAnswer(miningPath);
  useKeys({
    p: switchPause,
    t: () => void (view.value = view.value === 'lanes' ? 'table' : 'lanes'),
    r: chooseReorganisation,
    d: chooseParent,
  });
  const current = chosen.value;
  // Also before the width is known, so that nothing below moves then.
  const hasHeads = width === 0 ? !narrowScreen.matches : width >= narrowBelow;
  const { height } = width === 0 ? loomOf(hasHeads ? narrowBelow : 0, groups.value) : loom;
  const least = { minHeight: `${height + spaceForTimes + (hasHeads ? spaceForHeads : 0)}px` };
  return (
    <Card title={texts.loom.title} aside={<Controls />} class="loom">
      <div class="loom-body" ref={element} style={least}>
        {view.value === 'table' && <LoomTable />}
        {view.value === 'lanes' && width > 0 && (
          <div tabIndex={0} role="group" aria-label={texts.loom.keys} class="lanes" onKeyDown={onKeyDown}>
            {hasHeads && (
              <div class="lane-heads" aria-hidden="true">
                <span>{texts.loom.waiting}</span>
                <span>{texts.loom.height}</span>
              </div>
            )}
            <Picture loom={loom} />
            <p class="unseen" role="status">
              {current && (
                <Link to={`block/${current.hash}`}>
                  {texts.block.title(count(current.height))}, {current.chainFrom} → {current.chainTo}
                </Link>
              )}
            </p>
          </div>
        )}
      </div>
      {isMiningOff() ? <MiningOff /> : <Stalled />}
    </Card>
  );
};
