import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Confirmations, confirmationsOf, type TakenIn, takenIn } from '../store/confirmations.js';
import { type BlockLite } from '../store/forms.js';
import { groups, headOf, headers, network } from '../store/network.js';

/** Where groups have taken in blocks, by hash, as soon as both have: that changes only with a reorganisation. */
const settled = new Map<string, TakenIn>();

const isSettled = ({ bySender, byReceiver }: TakenIn): boolean => bySender !== undefined && byReceiver !== undefined;

/** Whether a block that took it in has left its chain. */
const hasLeft = ({ bySender, byReceiver }: TakenIn): boolean =>
  network.value.orphans.some(({ block: { hash } }) => hash === bySender?.hash || hash === byReceiver?.hash);

/** Which blocks took in a block, live; undefined until that is known. */
export const useTakenIn = (block: BlockLite | undefined): TakenIn | undefined => {
  const found = useSignal<{ readonly hash: string; readonly takenIn: TakenIn } | undefined>(undefined);
  const hash = block?.mainChain === true ? block.hash : undefined;
  const known = found.value?.hash === hash ? found.value?.takenIn : undefined;
  const isOpen = known === undefined || !isSettled(known) || hasLeft(known);
  // While it is open, each new block of a group may take it in.
  const newest = isOpen ? network.value.blocks[0]?.hash : undefined;
  // A look may take longer than the next block: only that of another subject is of no use.
  const wanted = useRef(hash);
  wanted.current = hash;
  useEffect(() => {
    if (hash === undefined || !isOpen) return;
    const kept = settled.get(hash);
    if (kept !== undefined && hasLeft(kept)) settled.delete(hash);
    const look = async (): Promise<TakenIn> =>
      settled.get(hash) ?? takenIn(headers, await headers.block(hash), groups.peek());
    look()
      .then((result) => {
        if (isSettled(result)) settled.set(hash, result);
        if (wanted.current === hash) found.value = { hash, takenIn: result };
      })
      .catch(() => undefined);
  }, [hash, newest, isOpen]);
  return known;
};

/** The three counts of a block, live; undefined until they are known. */
export const useConfirmations = (block: BlockLite | undefined): Confirmations | undefined => {
  const known = useTakenIn(block);
  return block && known && confirmationsOf(block, known, headOf);
};
