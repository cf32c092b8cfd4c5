import { signal } from '@preact/signals';
import { parameter } from '../router.js';
import { groups } from '../store/network.js';
import { type WaitingLane, type WaitingLanes } from '../store/waiting.js';
import { texts } from '../texts.js';
import { Card } from './card.js';
import { LaneRow, percent } from './lane.js';
import { groupClass } from './links.js';
import { count, span } from './numbers.js';

/** The transaction that is pointed at, in a lane or in the table. */
export const pointedAt = signal<string | undefined>(undefined);

/** The transaction for which somebody came here. */
export const soughtId = (): string | undefined => parameter('id');

const hashAt = (target: EventTarget | null): string | undefined =>
  target instanceof Element ? target.closest<SVGElement>('[data-hash]')?.dataset['hash'] : undefined;

const onPoint = ({ target }: Event): void => void (pointedAt.value = hashAt(target));

/** A finger leaves whatever it taps. */
const onLeave = ({ pointerType }: PointerEvent): void => {
  if (pointerType === 'mouse') pointedAt.value = undefined;
};

/** The dot that was tapped last: a second tap opens it, as a click does. */
let tapped: string | undefined;
let isFinger = false;
const onPress = ({ pointerType }: PointerEvent): void => void (isFinger = pointerType !== 'mouse');

/** A finger points by a tap, and the list shows the row. */
const onTap = (event: MouseEvent): void => {
  const hash = hashAt(event.target);
  if (!isFinger || hash === undefined || hash === tapped) return;
  event.stopPropagation();
  tapped = hash;
  pointedAt.value = hash;
  document.querySelector(`[data-row="${hash}"]`)?.scrollIntoView({ block: 'nearest' });
};

const Lane = ({ lane }: { readonly lane: WaitingLane }) => {
  const { chainFrom, chainTo, dots } = lane;
  const label = texts.pending.lane(`${chainFrom} → ${chainTo}`, lane.count);
  return (
    <LaneRow {...lane} label={label} end={lane.count > 0 ? count(lane.count) : ''}>
      <g class={groupClass(chainTo)}>
        {dots.map(({ hash, place }) => (
          <g
            key={hash}
            class={`dot ${pointedAt.value === hash ? 'pointed' : ''}`}
            data-hash={hash}
            data-to={`tx/${hash}`}
          >
            {hash === soughtId() && <circle class="ring" cx={percent(place)} cy="50%" r="9" />}
            <circle cx={percent(place)} cy="50%" r="4" />
            <circle class="hit" cx={percent(place)} cy="50%" r="12" />
          </g>
        ))}
      </g>
    </LaneRow>
  );
};

/** What waits for each chain, by age. */
export const WaitingLanesCard = ({ waiting: { lanes, spanMs } }: { readonly waiting: WaitingLanes }) => (
  <Card
    title={texts.pending.lanes}
    aside={<span class="quiet wide-only">{texts.pending.lanesHint}</span>}
    class="waiting-card"
  >
    <div
      class="lane-bands"
      onPointerOver={onPoint}
      onPointerLeave={onLeave}
      onPointerDown={onPress}
      onClickCapture={onTap}
    >
      {Array.from({ length: groups.value }, (_, group) => (
        <section key={group} class={`lane-band ${groupClass(group)}`}>
          <h3>
            {texts.loom.from} <b>{group}</b>
          </h3>
          <ul>
            {lanes
              .filter(({ chainFrom }) => chainFrom === group)
              .map((lane) => (
                <Lane key={lane.chainTo} lane={lane} />
              ))}
          </ul>
          <p class="lane-times">
            <span>{texts.loom.ago(span(spanMs))}</span>
            <span>{texts.loom.now}</span>
          </p>
        </section>
      ))}
    </div>
  </Card>
);
