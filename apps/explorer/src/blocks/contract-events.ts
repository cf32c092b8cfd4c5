import { addressOf } from '@shardnode/protocol/address';
import { creationEventsId, destructionEventsId } from '@shardnode/protocol/vm';
import { type FeedEvent } from './feed-block.js';

/** A contract that an event reports as created or destroyed (protocol 08 §4.6). */
export type ContractStep =
  | {
      readonly kind: 'created';
      readonly contract: string;
      readonly parent: string | undefined;
      /** Without its prefix; undefined when the event has none. */
      readonly interfaceGuess: Uint8Array | undefined;
    }
  | { readonly kind: 'destroyed'; readonly contract: string };

const createdIndex = -1;
const destroyedIndex = -2;

/** The step of a system event of the group; undefined for all other events, and for other shapes (protocol 08 §4.6). */
export const contractStepOf = (
  { contractId, eventIndex, fields }: FeedEvent,
  group: number,
): ContractStep | undefined => {
  const [contract, parent, guess] = fields;
  if (contract?.type !== 'Address') return undefined;
  if (contractId === creationEventsId(group) && eventIndex === createdIndex && fields.length === 3) {
    if (guess?.type !== 'ByteVec') return undefined;
    return {
      kind: 'created',
      contract: addressOf(contract.value),
      parent: parent?.type === 'Address' ? addressOf(parent.value) : undefined,
      interfaceGuess: guess.value.length > 0 ? guess.value : undefined,
    };
  }
  if (contractId === destructionEventsId(group) && eventIndex === destroyedIndex && fields.length === 1) {
    return { kind: 'destroyed', contract: addressOf(contract.value) };
  }
  return undefined;
};
