import { type ComponentChildren } from 'preact';
import { go } from '../router.js';
import { type Chain } from '../store/forms.js';
import { chainPath, groupClass, Link } from './links.js';

interface LaneProps extends Chain {
  /** Parts of an SVG as wide as the lane: places are percents, the middle is at 50 %. */
  readonly children: ComponentChildren;
  /** What the picture shows, as words. */
  readonly label: string;
  /** At the right of now. */
  readonly end: ComponentChildren;
  /** With both groups, where the lane stands alone. */
  readonly hasSender?: boolean;
  readonly class?: string;
}

/** What is pointed at leads to the path in its `data-to`. */
const onClick = ({ target }: Event): void => {
  const to = target instanceof Element ? target.closest<SVGElement>('[data-to]')?.dataset['to'] : undefined;
  if (to !== undefined) go(to);
};

/** A chain as a line over time, now at the right. Its parts lead somewhere by a click; a list beside it has the links. */
export const LaneRow = ({ chainFrom, chainTo, children, label, end, hasSender, class: name = '' }: LaneProps) => (
  <li class={`lane-row ${name} ${groupClass(chainFrom)}`}>
    <Link to={chainPath({ chainFrom, chainTo })} class={`lane-name ${groupClass(chainTo)}`}>
      {hasSender === true && <span class={groupClass(chainFrom)}>{chainFrom}</span>}→{chainTo}
    </Link>
    <svg role="img" aria-label={label} onClick={onClick}>
      <line x1="0" x2="100%" y1="50%" y2="50%" />
      {children}
    </svg>
    <span class="number">{end}</span>
  </li>
);

export const percent = (place: number): string => `${(place * 100).toFixed(3)}%`;
