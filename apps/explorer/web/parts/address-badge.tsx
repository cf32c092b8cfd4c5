import { isOfContract, multisigOf } from '../store/address-kind.js';
import { texts } from '../texts.js';
import { StatePill } from './card.js';

/** What an address says of itself, where it is not that of one key. */
export const AddressBadge = ({ address }: { readonly address: string }) => {
  const multisig = multisigOf(address);
  if (multisig !== undefined) return <StatePill kind="plain">{texts.address.multisig(multisig)}</StatePill>;
  return isOfContract(address) ? <StatePill kind="plain">{texts.contract.title}</StatePill> : null;
};
