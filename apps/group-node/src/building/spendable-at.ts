import { type BuildOutcome, type BuildRefusalName } from '@shardnode/protocol/building';
import { type AssetLockupScript } from '@shardnode/protocol/primitives';
import { type Refusal } from '@shardnode/protocol/validation';
import { type BuilderReads } from './builder-reads.js';
import { addressSet, unspentOf } from '../view/address-outputs.js';

/** Refusals that more outputs would avoid. */
const lackOfOutputs: ReadonlySet<string> = new Set<BuildRefusalName>([
  'NotEnoughBalance',
  'NotEnoughBalanceForFee',
  'NotEnoughToken',
]);

const lockTimesOf = async (
  node: BuilderReads,
  lockupScripts: readonly AssetLockupScript[],
  now: bigint,
): Promise<readonly bigint[]> => {
  const times = new Set<bigint>();
  for (const lockupScript of lockupScripts) {
    // An error does not justify reading an address with very many outputs.
    if ((await addressSet(node, lockupScript)).kind === 'large') continue;
    for (const { output } of await unspentOf(node, lockupScript, { pool: true }))
      if (output.lockTime > now) times.add(output.lockTime);
  }
  return [...times].sort((a, b) => (a < b ? -1 : 1));
};

/**
 * The time at which locked outputs cover the refused amount: milliseconds since 1970, as digits. Undefined when they
 * never do, or when the refusal has another reason.
 */
const spendableAt = async (
  node: BuilderReads,
  lockupScripts: readonly AssetLockupScript[],
  now: bigint,
  code: string,
  buildAt: (time: bigint) => Promise<BuildOutcome<unknown>>,
): Promise<string | undefined> => {
  if (!lackOfOutputs.has(code)) return undefined;
  const times = await lockTimesOf(node, lockupScripts, now);
  const last = times.at(-1);
  if (last === undefined || !(await buildAt(last)).ok) return undefined;
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await buildAt(times[middle]!)).ok) high = middle;
    else low = middle + 1;
  }
  return String(times[high]);
};

/** A built transaction, or its refusal and the time at which locked outputs suffice for it. */
export type BuildAttempt<Built> =
  | { readonly ok: true; readonly value: Built }
  | { readonly ok: false; readonly refusal: Refusal<BuildRefusalName>; readonly spendableAt: string | undefined };

/** Milliseconds that a build waits for locked outputs. */
const shortWait = 500;
const mostRounds = 5;

/** Waits for a time that is so near that a build waits for it. False: it is further away, or there is none. */
const isReachedSoon = async ({ clock }: BuilderReads, when: bigint | undefined): Promise<boolean> => {
  if (when === undefined) return false;
  const wait = Number(when - BigInt(clock.now()));
  if (wait > shortWait) return false;
  if (wait > 0) await new Promise<void>((resolve) => void clock.after(wait, resolve));
  return true;
};

/**
 * Repeats a build while an output that it lacks is spendable at the next moment: one of a block is locked until the
 * block's time. `lacking`: when it will be, milliseconds since 1970.
 */
export const repeatedSoon = async <Outcome>(
  node: BuilderReads,
  build: () => Promise<Outcome>,
  lacking: (outcome: Outcome) => bigint | undefined,
): Promise<Outcome> => {
  for (let round = 1; ; round++) {
    const outcome = await build();
    if (round === mostRounds || !(await isReachedSoon(node, lacking(outcome)))) return outcome;
  }
};

/**
 * Builds with the outputs that are spendable at the time of the clock. An output of a block is locked until the block's
 * time. While a build waited for a commit, such outputs may have replaced pending ones, and the start time of the build
 * is too early for them. Therefore a refusal counts only if it also holds at the next moment.
 * @param buildAt builds with the outputs that are spendable at that time, in milliseconds since 1970
 */
export const buildNow = <Built>(
  node: BuilderReads,
  lockupScripts: readonly AssetLockupScript[],
  buildAt: (time: bigint) => Promise<BuildOutcome<Built>>,
): Promise<BuildAttempt<Built>> => {
  const attempt = async (): Promise<BuildAttempt<Built>> => {
    const now = BigInt(node.clock.now());
    const outcome = await buildAt(now);
    if (outcome.ok) return outcome;
    // A rebuild of memory may have removed outputs that were shown: that is no refusal.
    node.sync.requireReady();
    return { ...outcome, spendableAt: await spendableAt(node, lockupScripts, now, outcome.refusal.code, buildAt) };
  };
  return repeatedSoon(node, attempt, (outcome) =>
    outcome.ok || outcome.spendableAt === undefined ? undefined : BigInt(outcome.spendableAt),
  );
};
