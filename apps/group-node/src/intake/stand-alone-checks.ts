import { type Block, type SealedHeader } from '@shardnode/protocol/block';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { preCheck, refuse, type Verdict } from '@shardnode/protocol/validation';
import { type ChainRole, importRoles, roleOf } from '../dag/roles.js';

/** Where a block or header comes from. */
export type ItemSource =
  | { readonly kind: 'announced'; readonly from: number }
  | { readonly kind: 'pulled'; readonly from: number }
  | { readonly kind: 'submitted' };

export interface StandAloneInput {
  readonly settings: NetworkSettings;
  readonly group: number;
  readonly header: SealedHeader;
  readonly block?: Block | undefined;
  readonly form: 'block' | 'header';
  readonly source: ItemSource;
}

/**
 * Whether the sender may send the item. Bodies that are not executed here are accepted from their validator alone
 * (decision 19).
 */
const checkSender = ({ header, source }: StandAloneInput, role: ChainRole): Verdict => {
  switch (source.kind) {
    case 'submitted':
      return role === 'own' ? undefined : refuse('InvalidGroup', 'blocks are submitted to the group they start from');
    case 'announced':
    case 'pulled':
      if (role === 'own') return undefined;
      return source.from === header.chainIndex.from
        ? undefined
        : refuse('InvalidSender', `group ${source.from} does not own chain ${chainText(header)}`);
  }
};

/** A block of another network would wait for dependencies that no node here has. */
const checkNetwork = ({ block, settings }: StandAloneInput): Verdict =>
  block?.transactions.some(({ unsigned }) => unsigned.networkId !== settings.networkId)
    ? refuse('InvalidNetworkId', `the block is of another network than ${settings.networkId}`)
    : undefined;

const chainText = (header: SealedHeader): string => `(${header.chainIndex.from}, ${header.chainIndex.to})`;

/** Checks of a block or header alone, before it is buffered (protocol 03 §5.2, §12.3 point 1). */
export const checkStandAlone = (input: StandAloneInput): Verdict => {
  const { settings, header, form, group } = input;
  const work = preCheck(settings, header);
  if (work) return work;
  const role = roleOf(header.chainIndex, group, settings.groups);
  if (importRoles[role].form !== form) {
    return refuse('InvalidFlowChainIndex', `chain ${chainText(header)} is taken as ${importRoles[role].form} here`);
  }
  return checkSender(input, role) ?? checkNetwork(input);
};
