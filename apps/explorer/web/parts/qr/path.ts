/** A square of dark and light modules. */
export interface Modules {
  readonly size: number;
  /** Whether a module is dark. */
  readonly get: (x: number, y: number) => boolean;
}

/** The dark modules as one path, a module one unit wide: a rectangle for each run of a row. */
export const modulesPath = ({ size, get }: Modules): string => {
  const runs: string[] = [];
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const start = x;
      while (x < size && get(x, y)) x++;
      if (x > start) runs.push(`M${start} ${y}h${x - start}v1h-${x - start}z`);
    }
  return runs.join('');
};

/** Light modules around the code that readers need. */
export const quietZone = 4;

/** A code as an image file, dark on light. @param path of its dark modules @param size modules of a side, the quiet zone counted */
export const svgFile = (path: string, size: number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-quietZone} ${-quietZone} ${size} ${size}" width="${8 * size}" height="${8 * size}">` +
  `<rect x="${-quietZone}" y="${-quietZone}" width="${size}" height="${size}" fill="white"/><path d="${path}"/></svg>`;
