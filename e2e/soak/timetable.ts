/** A kind of fault as far as the plan has to know it. */
export interface PlannedKind {
  readonly name: string;
  /** How often it comes, compared with the others. */
  readonly weight: number;
  /** What it harms: two kinds with the same place never come together. */
  readonly place: string;
  /** Comes with no other. */
  readonly isAlone?: boolean;
}

/** What comes next: one fault, now and then two at the same time. */
export interface Appointment<Kind extends PlannedKind> {
  /** Milliseconds of peace before it. */
  readonly afterMs: number;
  readonly kinds: readonly Kind[];
}

const shareOfPairs = 1 / 6;

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);

const oneByWeight = <Kind extends PlannedKind>(kinds: readonly Kind[], random: () => number): Kind | undefined => {
  let left = random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  return kinds.find(({ weight }) => (left -= weight) < 0);
};

const partnerOf = <Kind extends PlannedKind>(
  first: Kind,
  kinds: readonly Kind[],
  random: () => number,
): Kind | undefined =>
  first.isAlone
    ? undefined
    : oneByWeight(
        kinds.filter(({ place, isAlone }) => !isAlone && place !== first.place),
        random,
      );

/**
 * Faults without an end: first each kind once, in any order, then by weight. The peace before each is half to one and a half
 * times `everyMs`, milliseconds. The same numbers of `random` give the same plan.
 */
export function* timetable<Kind extends PlannedKind>(
  kinds: readonly Kind[],
  everyMs: number,
  random: () => number,
): Generator<Appointment<Kind>, never> {
  const firstRound = shuffled(kinds, random);
  for (;;) {
    const afterMs = everyMs * (0.5 + random());
    const first = firstRound.shift() ?? oneByWeight(kinds, random)!;
    const second = random() < shareOfPairs ? partnerOf(first, kinds, random) : undefined;
    yield { afterMs, kinds: second ? [first, second] : [first] };
  }
}
