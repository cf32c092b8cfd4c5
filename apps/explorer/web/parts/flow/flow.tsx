import { useSignal } from '@preact/signals';
import { type ComponentChildren } from 'preact';
import { accountOf } from '../../store/development.js';
import { groups, now } from '../../store/network.js';
import { type AnyTransaction, areSendersKnown, hasFailed, moved } from '../../store/payments.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';
import { Choices } from '../choices.js';
import { ends, groupClass } from '../links.js';
import { useWidth } from '../use-width.js';
import { amountWords } from '../values.js';
import { bluntEnd, type FlowShape, flowShape, groupRadius, originArrow, spentArrow, type Thread } from './geometry.js';
import { assetsOf, type Flow, flowOf, type Party } from './parties.js';

type Side = 'input' | 'output';

interface StrandProps {
  readonly side: Side;
  readonly party: Party;
  readonly thread: Thread;
  readonly shape: FlowShape;
  /** Whether its label has one line. */
  readonly isDense: boolean;
  readonly transaction: AnyTransaction;
  readonly token: string | undefined;
}

const isHatched = ({ isContract, role }: Party): boolean =>
  isContract || role === 'made' || role === 'burnt' || role === 'forScript';

/** What stands for an end of a thread that is neither an input nor an output. */
const specialWords = ({ role, count }: Party, { inputs }: AnyTransaction): string | undefined => {
  const { roles, more, notKnown } = texts.flow;
  if (role === 'bundle') return more(count);
  if (role === 'unknown') return notKnown(count);
  if (role === 'made') return inputs.length === 0 ? roles.reward : roles.made;
  return role === 'burnt' || role === 'forScript' ? roles[role] : undefined;
};

/** By its name, or the ends of its address. */
const nameOf = ({ address }: Party, first: number, last: number): string =>
  address === undefined ? '' : (accountOf(address)?.name ?? ends(address, first, last));

const partyWords = (party: Party, transaction: AnyTransaction): string => {
  const { roles, spent, unspent } = texts.flow;
  const special = specialWords(party, transaction);
  if (special !== undefined) return special;
  const who = nameOf(party, 6, 4);
  if (party.role === 'input') return who;
  const isReceiver = party.role === 'receiver' && !party.isContract && who !== '';
  const role = party.isContract ? roles.contract : roles[party.role as 'receiver' | 'change' | 'output'];
  const state = party.transaction !== undefined ? spent : party.isLocked ? roles.locked : unspent;
  return `${isReceiver ? who : role} · ${state}`;
};

const titleOf = ({ side, party, transaction, token }: StrandProps): string => {
  const { madeIn, spentIn, group } = texts.flow;
  const { full } = amountWords(party.amount, token);
  const link = party.transaction && (side === 'input' ? madeIn : spentIn)(party.transaction);
  const words = party.role === 'fee' ? texts.flow.fee : (specialWords(party, transaction) ?? party.address);
  return [full, words, party.group === undefined ? undefined : group(party.group), link]
    .filter((part) => part !== undefined)
    .join('\n');
};

const Amount = ({ party, token }: Pick<StrandProps, 'party' | 'token'>) => (
  <tspan class="flow-amount">{amountWords(party.amount, token).short}</tspan>
);

const GroupDigit = ({ group }: { readonly group: number | undefined }) =>
  group === undefined ? null : <tspan class={`flow-group ${groupClass(group)}`}>{group}</tspan>;

const labelGap = 24;

/** On a phone: above the thread the amount and whose it is, on the thread the mark of the group. */
const NarrowLabel = ({ side, party, thread, transaction, token }: StrandProps) => {
  const special = party.role === 'fee' ? texts.flow.fee : specialWords(party, transaction);
  const { group } = party;
  const height = Math.max(thread.width / 2, group === undefined ? 0 : groupRadius);
  const inwards = side === 'input' ? 1 : -1;
  return (
    <>
      <text class="above" x={thread.x} y={thread.y - height - 6} text-anchor={side === 'input' ? 'start' : 'end'}>
        <Amount party={party} token={token} />
        <tspan dx="5">{special ?? nameOf(party, 4, 3)}</tspan>
      </text>
      {group !== undefined && (
        <g class={`flow-chip ${groupClass(group)}`}>
          <circle cx={thread.x + inwards * (groupRadius + 5)} cy={thread.y} r={groupRadius} />
          <text x={thread.x + inwards * (groupRadius + 5)} y={thread.y + 4}>
            {group}
          </text>
        </g>
      )}
    </>
  );
};

/** The amount, and whose it is: beside the end of a thread. */
const Label = (props: StrandProps) => {
  const { side, party, thread, isDense, transaction, token } = props;
  const isFee = party.role === 'fee';
  const words = isFee ? '' : partyWords(party, transaction);
  const x = side === 'input' ? thread.x - labelGap : thread.x + labelGap;
  const anchor = side === 'input' ? 'end' : 'start';
  if (isFee)
    return (
      <text x={x} y={thread.y + 4} text-anchor={anchor}>
        {texts.flow.fee}{' '}
        <tspan dx="3">
          <Amount party={party} token={token} />
        </tspan>
      </text>
    );
  if (isDense)
    return (
      <text x={x} y={thread.y + 4} text-anchor={anchor}>
        <Amount party={party} token={token} />
        <tspan dx="8">
          <GroupDigit group={party.group} />
        </tspan>
        <tspan dx="5">{words}</tspan>
      </text>
    );
  return (
    <>
      <text x={x} y={thread.y - 3} text-anchor={anchor}>
        <Amount party={party} token={token} />
      </text>
      <text x={x} y={thread.y + 14} text-anchor={anchor}>
        <GroupDigit group={party.group} />
        <tspan dx={party.group === undefined ? 0 : 5}>{words}</tspan>
      </text>
    </>
  );
};

/** What is pointed at at the end of a thread: its mark and its label. */
const Target = ({ side, thread, shape }: Pick<StrandProps, 'side' | 'thread' | 'shape'>) => {
  const half = Math.max(12.5, Math.min(thread.width / 2, 22));
  if (shape.isNarrow) {
    const width = shape.bar.x - thread.width / 2 - 60;
    const x = side === 'input' ? 0 : shape.width - Math.max(90, width);
    return (
      <rect class="hit" x={x} y={thread.y - thread.width / 2 - 20} width={Math.max(90, width)} height={24} rx="6" />
    );
  }
  const start = side === 'input' ? 0 : thread.x;
  const end = side === 'input' ? thread.x : shape.width;
  return <rect class="hit" x={start} y={thread.y - half - 4} width={end - start} height={2 * half + 8} rx="9" />;
};

const Mark = ({ side, party, thread }: StrandProps) => {
  if (side === 'input') return party.transaction === undefined ? null : <path class="mark" d={originArrow(thread)} />;
  if (party.transaction !== undefined) return <path class="mark" d={spentArrow(thread)} />;
  const isOutput = party.role === 'receiver' || party.role === 'change' || party.role === 'output';
  return isOutput ? <path class="blunt" d={bluntEnd(thread)} /> : null;
};

const End = (props: StrandProps) => {
  const { transaction } = props.party;
  const content: ComponentChildren = (
    <>
      <Target {...props} />
      <Mark {...props} />
      {props.shape.isNarrow ? <NarrowLabel {...props} /> : <Label {...props} />}
    </>
  );
  if (transaction === undefined) return <g>{content}</g>;
  return (
    <a href={`tx/${transaction}`} data-page={`tx/${transaction}`}>
      {content}
    </a>
  );
};

const gradientId = (from: number, to: number): string => `flow-${from}-${to}`;

/** Threads between groups change their colour on their way. */
const paintOf = ({ side, party, transaction }: StrandProps): string | undefined =>
  side === 'output' && party.group !== undefined && party.group !== transaction.chainFrom
    ? `url(#${gradientId(transaction.chainFrom, party.group)})`
    : undefined;

const Strand = (props: StrandProps) => {
  const { party, thread, transaction } = props;
  const isOwn = party.role !== 'bundle';
  const colour =
    party.group === undefined ? (isOwn ? groupClass(transaction.chainFrom) : 'plain') : groupClass(party.group);
  return (
    <g class={`strand ${colour} ${party.role}`}>
      <title>{titleOf(props)}</title>
      {party.role === 'fee' ? (
        <path class="dotted" d={thread.line} />
      ) : (
        <path class="thread" d={thread.area} fill={paintOf(props)} />
      )}
      {isHatched(party) && <path class="hatched" d={thread.area} fill="url(#flow-hatch)" />}
      <End {...props} />
    </g>
  );
};

const Definitions = ({
  flow,
  shape,
  from,
}: {
  readonly flow: Flow;
  readonly shape: FlowShape;
  readonly from: number;
}) => {
  const others = new Set(flow.outputs.flatMap(({ group }) => (group === undefined || group === from ? [] : [group])));
  return (
    <defs>
      <pattern id="flow-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch" width="2.5" height="7" />
      </pattern>
      {[...others].map((to) => (
        <linearGradient
          key={to}
          id={gradientId(from, to)}
          gradientUnits="userSpaceOnUse"
          x1={shape.bar.x}
          x2={shape.width * 0.92}
          y1="0"
          y2="0"
        >
          <stop class={groupClass(from)} offset="0.08" />
          <stop class={groupClass(to)} offset="0.8" />
        </linearGradient>
      ))}
    </defs>
  );
};

interface PictureProps {
  readonly transaction: AnyTransaction;
  readonly token: string | undefined;
  readonly width: number;
}

const Picture = ({ transaction, token, width }: PictureProps) => {
  const flow = flowOf(transaction, { token, groups: groups.value, now: now.value });
  const amounts = (parties: readonly Party[]): bigint[] => parties.map(({ amount }) => amount);
  const shape = flowShape(width, amounts(flow.inputs), amounts(flow.outputs));
  const { bar, height } = shape;
  const total = amountWords(flow.total, token);
  const isUnknown = flow.inputs.some(({ role }) => role === 'unknown');
  const common = { shape, transaction, token };
  const label = texts.flow.label(`${total.short} ${total.unit}`, transaction.inputs.length, transaction.outputs.length);
  return (
    <svg width={width} height={height} role="group" aria-label={label} class={shape.isNarrow ? 'narrow' : ''}>
      <Definitions flow={flow} shape={shape} from={transaction.chainFrom} />
      {(['input', 'output'] as const).map((side) => {
        const { threads, isDense } = shape[`${side}s`];
        return flow[`${side}s`].map((party, i) => (
          <Strand key={`${side} ${i}`} side={side} party={party} thread={threads[i]!} isDense={isDense} {...common} />
        ));
      })}
      <line class="bar" x1={bar.x} x2={bar.x} y1={bar.top - 4} y2={bar.bottom + 4} />
      <text class="flow-total" x={bar.x} y={shape.totalY}>
        {isUnknown ? '' : <tspan class="flow-amount">{total.short}</tspan>} {total.unit}
      </text>
    </svg>
  );
};

const showLists = (): void => document.getElementById('lists')?.scrollIntoView({ block: 'start' });

/** From where to where the coin, or a token, goes. */
export const FlowCard = ({ transaction }: { readonly transaction: AnyTransaction }) => {
  const { element, width } = useWidth();
  const assets = assetsOf(transaction);
  const chosen = useSignal<string | undefined>(undefined);
  const first = areSendersKnown(transaction) ? moved(transaction).token : undefined;
  const choice = chosen.value ?? first ?? '';
  const token = choice === '' || !assets.includes(choice) ? undefined : choice;
  const isUnknown = transaction.inputs.some(({ attoCoinAmount }) => attoCoinAmount === undefined);
  return (
    <Card
      title={texts.flow.title}
      aside={
        <>
          {assets.length > 1 && (
            <Choices
              label={texts.flow.assets}
              values={assets.map((id) => [id ?? '', amountWords(0n, id).unit] as const)}
              chosen={token ?? ''}
              onChoose={(id) => void (chosen.value = id)}
            />
          )}
          <button type="button" class="button small" onClick={showLists}>
            {texts.flow.asList}
          </button>
        </>
      }
      class={hasFailed(transaction) ? 'flow failed' : 'flow'}
    >
      <div ref={element}>{width > 0 && <Picture transaction={transaction} token={token} width={width} />}</div>
      {isUnknown && <p class="quiet">{texts.flow.unknownHint}</p>}
    </Card>
  );
};
