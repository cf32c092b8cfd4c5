import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { serverNow } from '../../store/network.js';
import { groupToken } from '../links.js';
import { shownTheme } from '../theme.js';
import { differsFrom, type Mark, marksOf } from './crowd.js';
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

interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How far a mark may stand beside its exact place, pixels of the canvas. */
const roundedBy = 2;

/** Paints marks onto a canvas. While only new ones come, what is there is moved and they are added. */
class Painting {
  /** The shift of the picture for which the marks are painted, in pixels of the page. */
  shift = 0;
  private marks: readonly Mark[] = [];

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly stamps: Stamps,
    private readonly frame: Frame,
    private readonly ratio: number,
  ) {
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  }

  /** @param shift of the picture now */
  paint(marks: readonly Mark[], shift: number): void {
    const { context, ratio, frame } = this;
    const { canvas } = context;
    const moved = Math.round((shift - this.shift) * ratio);
    // Whole pixels, so that what is moved is what would be painted.
    this.shift += moved / ratio;
    const from = differsFrom(this.marks, marks);
    const left = Math.max(0, Math.floor((from + this.shift - frame.x) * ratio) - roundedBy);
    if (left > 0 && moved !== 0) {
      context.globalCompositeOperation = 'copy';
      context.drawImage(canvas, moved, 0);
      context.globalCompositeOperation = 'source-over';
    }
    this.marks = marks;
    if (left >= canvas.width) return;
    context.clearRect(left, 0, canvas.width - left, canvas.height);
    context.save();
    context.beginPath();
    context.rect(left, 0, canvas.width - left, canvas.height);
    context.clip();
    for (const mark of marks)
      if (mark.x + mark.width / 2 >= from - (2 * roundedBy) / ratio)
        this.stamps.draw(context, mark, (mark.x + this.shift - frame.x) * ratio, (mark.y - frame.y) * ratio);
    context.restore();
  }
}

interface CrowdProps {
  readonly loom: Loom;
  readonly scale: TimeScale;
  readonly place: Frame;
}

/** The blocks of a crowded picture. Painted when they change; in between the whole slides. */
export const Crowd = ({ loom, scale, place }: CrowdProps) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const painting = useRef<Painting | undefined>(undefined);
  const ratio = density();
  const stamps = useMemo(() => new Stamps(ratio), [ratio, shownTheme.value]);
  const blocks = shownBlocks.value;
  // Another scale, theme or size: nothing of what is there can stay. Before the blocks, which are painted then.
  useLayoutEffect(() => {
    painting.current = new Painting(canvas.current!.getContext('2d')!, stamps, place, ratio);
  }, [loom, scale, stamps]);
  useLayoutEffect(
    () => painting.current!.paint(marksOf(blocks, loom, scale), shiftAt(loom, scale, pausedAt.value ?? serverNow())),
    [blocks, loom, scale, stamps],
  );
  useSliding(
    loom,
    scale,
    // A frame may come after the last one of the picture.
    (shift) =>
      canvas.current?.style.setProperty(
        'transform',
        `translateX(${(shift - (painting.current?.shift ?? shift)).toFixed(2)}px)`,
      ),
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
