const codes = { red: 31, yellow: 33, green: 32, bold: 1, dim: 2 } as const;

type Colour = keyof typeof codes;

/** Puts a colour around a text. */
export type Paint = (colour: Colour, text: string) => string;

/** A stream of the process; a terminal knows what it shows, by NO_COLOR, FORCE_COLOR and TERM too. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly hasColors?: (() => boolean) | undefined;
}

/** Colours where the output is a terminal that has them; elsewhere none. */
export const paintFor = (output: Output): Paint =>
  output.isTTY && output.hasColors?.()
    ? (colour, text) => (text === '' ? text : `\u001b[${codes[colour]}m${text}\u001b[0m`)
    : (_, text) => text;
