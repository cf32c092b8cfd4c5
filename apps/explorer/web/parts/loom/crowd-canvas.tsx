import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { serverNow } from '../../store/network.js';
import { groupToken } from '../links.js';
import { shownTheme } from '../theme.js';
import { type Mark, marksOf } from './crowd.js';
import { type Loom, pillHalves, shiftAt, type TimeScale } from './geometry.js';
import { useSliding } from './sliding.js';
import { choice, pausedAt, shownBlocks } from './state.js';

/** Pixels of the screen for one of the page. */
const density = (): number => Math.min(devicePixelRatio, 2);

/** Draws marks; each kind of mark is drawn once and then copied. */
class Stamps {
  private readonly stamps = new Map<string, HTMLCanvasElement>();
  private readonly styles = getComputedStyle(document.documentElement);

  constructor(private readonly scale: number) {}

  /** @param x middle of the mark, in pixels of the canvas */
  draw(context: CanvasRenderingContext2D, mark: Mark, x: number, y: number): void {
    const stamp = this.stampOf(mark);
    context.drawImage(stamp, Math.round(x - stamp.width / 2), Math.round(y - stamp.height / 2));
  }

  private stampOf(mark: Mark): HTMLCanvasElement {
    const width = Math.round(mark.width * 2) / 2;
    const name = `${mark.chainFrom} ${mark.chainTo} ${width} ${mark.height}`;
    const known = this.stamps.get(name);
    if (known !== undefined) return known;
    const made = this.made({ ...mark, width });
    this.stamps.set(name, made);
    return made;
  }

  private made({ chainFrom, chainTo, width, height }: Mark): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * this.scale);
    canvas.height = Math.ceil(height * this.scale);
    const context = canvas.getContext('2d')!;
    context.scale(this.scale, this.scale);
    context.translate(width / 2, height / 2);
    const halves = pillHalves(width, height);
    [chainFrom, chainTo].forEach((group, i) => {
      context.fillStyle = this.styles.getPropertyValue(groupToken(group));
      context.fill(new Path2D(halves[i]));
    });
    return canvas;
  }
}

interface CrowdProps {
  readonly loom: Loom;
  readonly scale: TimeScale;
  readonly place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
}

/** The blocks of a crowded picture. Painted when they change; in between the whole slides. */
export const Crowd = ({ loom, scale, place }: CrowdProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const paintedAt = useRef(0);
  const ratio = density();
  const stamps = useMemo(() => new Stamps(ratio), [ratio, shownTheme.value]);
  const blocks = shownBlocks.value;
  useLayoutEffect(() => {
    const context = canvas.current!.getContext('2d')!;
    context.clearRect(0, 0, canvas.current!.width, canvas.current!.height);
    paintedAt.current = shiftAt(loom, scale, pausedAt.value ?? serverNow());
    for (const mark of marksOf(blocks, loom, scale))
      stamps.draw(context, mark, (mark.x + paintedAt.current - place.x) * ratio, (mark.y - place.y) * ratio);
  }, [blocks, loom, scale, stamps]);
  useSliding(
    loom,
    scale,
    // A frame may come after the last one of the picture.
    (shift) =>
      canvas.current?.style.setProperty('transform', `translateX(${(shift - paintedAt.current).toFixed(2)}px)`),
    blocks,
  );
  const { x, y, width, height } = place;
  return (
    <div class="crowd" style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}>
      <canvas
        ref={canvas}
        class={choice.value === undefined ? '' : 'faded'}
        width={Math.round(width * ratio)}
        height={Math.round(height * ratio)}
        style={{ width: `${width}px`, height: `${height}px` }}
      />
    </div>
  );
};
